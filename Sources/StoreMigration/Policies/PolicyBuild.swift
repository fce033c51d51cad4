import SQLiteFileBuilder
import StoreAssembly

/// A new file that is being built. The objects of policies are appended to its tables until a policy makes a request
/// that only SQLite can answer.
final class PolicyBuild {
    private let build: NewStoreBuild
    /// The connections with which other threads read the source.
    let connections: ReaderConnections
    private let open: () throws -> Void

    /// - Parameters:
    ///   - build: the file.
    ///   - connections: the connections with which other threads read the source.
    ///   - open: completes the file, and lets the policies continue with SQLite.
    init(_ build: NewStoreBuild, _ connections: ReaderConnections, open: @escaping () throws -> Void) {
        self.build = build
        self.connections = connections
        self.open = open
    }

    func table(_ name: String) throws(BuildError) -> TableBuilder { try build.rows(ofTable: name).builder }

    func end() throws { try open() }
}
