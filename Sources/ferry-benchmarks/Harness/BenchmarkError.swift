import PersistentStores
import StoreMigration

/// Why figures could not be had.
enum BenchmarkError: Error, CustomStringConvertible {
    case toolMissing(String)
    case cannotStart(String, reason: String)
    case failed(String, status: Int32, message: String)
    case noSpace(String, needed: Int64, free: Int64)
    case cannotCreate(String, reason: String)
    case resultsDiffer(String, reference: String, found: String)

    var description: String {
        switch self {
        case .toolMissing(let path):
            "\(path) is missing; build it with \"swift build -c release\", or say where it is with --ferry"
        case .cannotStart(let command, let reason): "\(command) does not start: \(reason); install it"
        case .failed(let command, let status, let message): "\(command) ended with status \(status): \(message)"
        case .noSpace(let directory, let needed, let free):
            "\(directory) has \(Quantity.bytes(free)) free, and the data need \(Quantity.bytes(needed)); "
                + "set TMPDIR to another folder, or ask for fewer --rows"
        case .cannotCreate(let path, let reason):
            "\(path) cannot be made: \(reason); set TMPDIR to a folder that can be written"
        case .resultsDiffer(let what, let reference, let found):
            "\(what): ferry and the reference do not come to the same result, so their times cannot be compared: "
                + "\(found) instead of \(reference)"
        }
    }
}
