import CompressedStreams
internal import Glibc
import ImportMappings
import PersistentStores
import RecordSources

/// Files of earlier runs in a folder of rejected records are not replaced unless this is requested.
extension RejectWriter {
    /// Checks that a run with some sources would not replace files in a folder.
    ///
    /// - Throws: `ImportError.rejectsExist`; `SourceError` if a file to be written is a symbolic link; `FileError` if
    ///   the folder cannot be read.
    static func check(_ directory: String, for sources: [String]) throws {
        guard FileSystem.isDirectory(directory) else { return }
        let stems = Set(sources.map(stem))
        for name in try FileSystem.names(in: directory).sorted() {
            guard logNames.contains(name) || isFile(name, of: stems) else { continue }
            let path = directory + "/" + name
            if FileSystem.isLink(path) { throw SourceError(.cannotWrite(systemError: ELOOP), in: path) }
            throw ImportError.rejectsExist(path)
        }
    }

    /// Returns whether an interrupted run wrote to a folder.
    static func isOwn(_ directory: String, of earlier: RejectCheckpoint) -> Bool {
        earlier.directory == FileSystem.resolvingLinks(directory)
    }

    /// Returns whether a file has a name such as `NAME.rejected.csv` or `NAME.rejected-2.csv`, with one of the names.
    private static func isFile(_ file: String, of names: Set<String>) -> Bool {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        return parts.indices.dropFirst().dropLast().contains { index in
            RejectFileName.Content(rawValue: String(parts[index].prefix { $0 != "-" })) != nil
                && names.contains(parts[..<index].joined(separator: "."))
        }
    }

    /// Returns the base name of a source, such as `airports` for `data/airports.csv.gz`.
    static func stem(of source: String) -> String {
        let path = StreamCompression.uncompressedPath(source) ?? source
        let file = path == "-" ? "stdin" : String(path.split(separator: "/").last ?? "source")
        return file.lastIndex(of: ".").map { $0 > file.startIndex ? String(file[..<$0]) : file } ?? file
    }
}
