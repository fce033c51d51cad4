import CommandLineParsing
import FoundationEssentials

/// The UUID of a new store.
struct UUIDArgument: ArgumentValue {
    let uuid: UUID

    static let expectation = "a UUID, such as 8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31"

    init?(argument: String) {
        guard let uuid = UUID(uuidString: argument) else { return nil }
        self.uuid = uuid
    }

    /// In upper case, as stores have it.
    var argument: String { uuid.uuidString }
}
