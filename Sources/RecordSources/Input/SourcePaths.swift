import PersistentStores

/// The sources that a user names: files, standard input, and folders, which stand for all files in them.
package enum SourcePaths {
    /// The largest depth of nested folders; more probably result from a link to an outer folder.
    private static let largestDepth = 32

    /// Returns the paths with each folder replaced by its files, sorted by name. Files and folders whose names begin
    /// with a dot are ignored.
    package static func files(of paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            guard path != "-", FileSystem.isDirectory(path) else { return [path] }
            let files = try files(in: path.last == "/" ? String(path.dropLast()) : path, depth: 0)
            guard !files.isEmpty else { throw SourceError(.emptyFolder, in: path) }
            return files
        }
    }

    private static func files(in folder: String, depth: Int) throws -> [String] {
        guard depth < largestDepth else { return [] }
        return try FileSystem.names(in: folder).sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
            let path = folder + "/" + name
            return FileSystem.isDirectory(path) ? try files(in: path, depth: depth + 1) : [path]
        }
    }
}
