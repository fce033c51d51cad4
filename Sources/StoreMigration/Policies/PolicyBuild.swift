import SQLiteFileBuilder
import StoreAssembly

/// A new file that is being built, to whose tables the objects of policies are appended as long as no policy asks for
/// what only SQLite can answer.
final class PolicyBuild {
    private let build: NewStoreBuild
    /// What other threads read the source with.
    let connections: ReaderConnections
    private let open: () throws -> Void

    /// - Parameter open: ends the file, and lets what runs the policies go on with SQLite.
    init(_ build: NewStoreBuild, _ connections: ReaderConnections, open: @escaping () throws -> Void) {
        self.build = build
        self.connections = connections
        self.open = open
    }

    func table(_ name: String) throws(BuildError) -> TableBuilder { try build.rows(ofTable: name).builder }

    func end() throws { try open() }
}
