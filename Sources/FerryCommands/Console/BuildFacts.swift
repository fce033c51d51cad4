import CBuildFacts
import CompressedStreams
import DocumentReading
import ManagedObjectModels
import SQLiteAccess
import UnicodeText

/// The facts about the build of this tool, and the libraries that it uses.
enum BuildFacts {
    /// The facts, one on each line.
    static var text: String {
        let facts = [
            ("commit", commit.isEmpty ? "none (built in a working copy)" : commit),
            ("SQLite", SQLiteLibrary.version), ("libxml2", DocumentLibraries.xmlVersion),
            ("libyaml", DocumentLibraries.yamlVersion), ("ICU", UnicodeLibrary.version),
            ("nettle", DigestLibrary.version), ("zlib", CompressionLibraries.zlibVersion),
            ("zstd", CompressionLibraries.zstdVersion),
        ]
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { name, fact in
            name + String(repeating: " ", count: width - name.count + 2) + fact + "\n"
        }.joined()
    }

    private static var commit: String { String(cString: ferry_build_commit()) }
}
