import PersistentStores

/// Why a manifest or a shard cannot be used; errors of single stores are outcomes.
public enum FleetError: Error, Sendable, Hashable {
    /// The file is not a manifest of this version.
    case notAManifest(String)
    /// The manifest has no such shard.
    case noSuchShard(Int, of: Int, planned: Int)
    /// The models or the mapping models differ from those with which the fleet was planned.
    case modelsChanged(String)
    /// The ledger belongs to another manifest.
    case foreignLedger(String)
    /// Another run of the shard holds its lock.
    case shardIsRunning(Int, lock: String)
    /// The outputs of two stores would have the same path.
    case sharedDestination(String, store: String)
    /// No store matches the path.
    case nothingMatches(String)
    /// The plan has names instead of files, and no command to fetch the stores is given.
    case fetchMissing(String)
    /// The results of the operation would be lost with the fetched copies, since no command to store them is given.
    case storeMissing(FleetOperation)
    /// More of the canary stores have failed than allowed.
    case canariesFailed(shard: Int, failed: Int, of: Int, isTemporary: Bool)
    /// The path cannot be in a list of stores.
    case badStorePath(String)

    /// Whether the same call may succeed later.
    public var isTemporary: Bool {
        switch self {
        case .shardIsRunning, .canariesFailed(_, _, _, isTemporary: true): true
        default: false
        }
    }
}

extension FleetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAManifest(let path):
            "\(path): this is not the manifest of a fleet; make one with ferry fleet plan"
        case .noSuchShard(let shard, let count, let planned):
            "there is no shard \(shard)/\(count): the manifest has \(Quantity.count(Int64(planned), "shard")), from "
                + "1/\(planned) to \(planned)/\(planned)"
        case .modelsChanged(let path):
            "\(path): the models or mapping models have changed since the fleet was planned; plan it again"
        case .foreignLedger(let path):
            "\(path): this ledger belongs to another manifest; move its folder away, or use the manifest that it is of"
        case .shardIsRunning(let shard, let lock):
            "shard \(shard) is being run by another process, which holds \(lock); wait until it ends, and try again"
        case .sharedDestination(let path, let store):
            "\(store): its result would be \(path), which is that of another store; name folders whose stores have "
                + "different paths in them, or plan two fleets"
        case .nothingMatches(let pattern): "\(pattern): no store has such a path"
        case .fetchMissing(let path):
            "\(path): its stores are names, and no files here; give the command that brings them with --fetch"
        case .storeMissing(let operation):
            "to \(operation.rawValue) copies of stores changes nothing; give the command that takes them back with "
                + "--store, or plan with --output-dir"
        case .canariesFailed(let shard, let failed, let count, _):
            "shard \(shard) has stopped: \(failed) of the \(Quantity.count(Int64(count), "store")) that were tried "
                + "first failed, more than may; look at ferry fleet report, and run it without --canary to go on"
        case .badStorePath(let path): "\"\(path)\" is not the path of a store; a path has no NUL"
        }
    }
}
