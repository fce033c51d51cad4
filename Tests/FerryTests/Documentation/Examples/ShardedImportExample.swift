import PersistentStores
import StoreImport

/// Converts all shards of an import, one after the other, and makes the store of them.
func importInShards(_ run: ImportRun, count: Int, spools folder: String, into store: String) throws -> ImportReport {
    for number in 1...count {
        guard let shard = ImportShard(number, of: count) else { continue }
        _ = try run.spool(to: folder, shard)
    }
    return try ImportSpools([folder]).assemble(
        into: store, uuid: "8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31", options: ImportOptions())
}
