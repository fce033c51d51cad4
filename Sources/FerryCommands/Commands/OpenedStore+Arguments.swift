import CommandLineParsing
import PersistentStores
import SQLiteAccess
import StoreFetching
import StoreMigration

extension OpenedStore {
    /// Opens the stores of a command, which must have the same version and must not be copies of each other; prints
    /// warnings about the stores and their models.
    ///
    /// - Parameter name: the version to use if the stores' hashes are unknown.
    static func open(
        _ paths: [String], models: [String], sources: SourceArguments, version name: String?, isMerging: Bool
    ) throws -> [OpenedStore] {
        let catalog = try VersionCatalog(paths: models, isMerging: isMerging, sources: sources.selection)
        // Ctrl-C ends a statement within some thousands of its steps.
        Cancellation.watchSignals()
        var opened: [OpenedStore] = []
        for path in paths {
            let store = try OpenedStore(path, in: catalog, named: name, onStandIn: Console.noteWarnings) {
                Cancellation.isRequested
            }
            for (other, former) in zip(opened, paths) { try store.check(path, beside: other, at: former) }
            store.store.connection.onProgress(everyInstructions: 20_000) { Cancellation.isRequested }
            opened.append(store)
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        return opened
    }

    /// Checks that two stores can be queried together: URIs must distinguish their objects, and their models must be
    /// equal.
    private func check(_ path: String, beside other: OpenedStore, at otherPath: String) throws {
        guard store.metadata.uuid.uppercased() != other.store.metadata.uuid.uppercased() else {
            throw StoresDisagree.sameStore(path, otherPath)
        }
        let differing = version.hashes.filter { name, hash in other.version.hashes[name].map { $0 != hash } ?? false }
        guard differing.isEmpty, !Set(version.hashes.keys).isDisjoint(with: other.version.hashes.keys) else {
            throw StoresDisagree.versions(path, version.name, otherPath, other.version.name)
        }
    }

    /// The store as one of several for a request.
    var fetched: FetchedStore { FetchedStore(store, layout) }
}

/// The reason why stores cannot be queried together.
enum StoresDisagree: Error, CustomStringConvertible {
    case sameStore(String, String)
    case versions(String, String, String, String)

    var description: String {
        switch self {
        case .sameStore(let path, let other):
            "\(path) and \(other) are one store, or copies of one: their objects have the same URIs; name one of them"
        case .versions(let path, let version, let other, let otherVersion):
            "\(path) is of version \(version), and \(other) of \(otherVersion), whose entities differ; migrate one of "
                + "them first"
        }
    }
}
