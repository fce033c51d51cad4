import CompressedStreams
import KeyedArchives
import ManagedObjectModels
import SQLiteAccess

/// The model in a store, put there as Core Data does.
enum ModelCache {
    static func write(_ model: ManagedObjectModel, into store: String) throws {
        let content = try RawDeflate.deflate(CompiledModelWriter(model, moduleName: "App").compile().bytes)
        let connection = try Connection(path: store, access: .readWrite)
        try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
        try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(content)])
        try connection.close()
    }
}
