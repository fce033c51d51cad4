import PersistentStores
import StoreConversion
import Synchronization

/// SQLite stores that stand for stores of other types while these are worked on; people read the stores' own names.
enum WorkingStoreNames {
    private static let paths = Mutex<[(path: String, original: String)]>([])

    /// Says what of the original could not be taken as it is, and names it in all that is written from here on.
    static func add(_ working: WorkingStore) {
        // In a report a name may have escapes.
        let escaped = [working.path, working.original].map { String(JSONText.line($0).dropFirst().dropLast(2)) }
        paths.withLock { $0 += [(working.path, working.original), (escaped[0], escaped[1])] }
        for finding in working.findings where finding.isWarning {
            Console.note("\(working.original): \(finding)\n")
        }
    }

    /// The text with the stores' own names.
    static func named(_ text: String) -> String {
        paths.withLock { paths in
            paths.reduce(text) { $0.replacing($1.path, with: $1.original) }
        }
    }
}
