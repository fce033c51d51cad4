import FoundationEssentials
import PersistentStores
import Synchronization

extension ManagedObjectID {
    /// Identifies this process in temporary IDs.
    private static let session = UUID().uuidString

    private static let count = Atomic<Int64>(0)

    /// Returns the next key of an unsaved object, unique in the process: -1, -2 and so on.
    static func nextTemporaryKey() -> Int64 {
        -count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    init(temporary key: Int64, entityName: String) {
        self.init(temporary: key, entityName: entityName, session: Self.session)
    }

    /// Parses the URI of an unsaved object of this process; nil for any other text.
    init?(temporaryURI uri: String) {
        let prefix = "x-coredata:///"
        guard uri.hasPrefix(prefix) else { return nil }
        let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("t" + Self.session),
            let number = Int64(parts[1].dropFirst(1 + Self.session.count)), number > 0
        else { return nil }
        self.init(temporary: -number, entityName: String(parts[0]))
    }
}
