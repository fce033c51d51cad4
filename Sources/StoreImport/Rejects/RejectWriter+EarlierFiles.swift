import CompressedStreams
internal import Glibc
import ImportMappings
import PersistentStores
import RecordSources

/// What earlier runs left in a folder of rejected records: it does not give way unasked.
extension RejectWriter {
    /// Makes sure that a run of some sources replaces nothing that is in a folder.
    ///
    /// - Throws: `ImportError.rejectsExist`; `SourceError` where a file to be written is a symbolic link; `FileError`
    ///   where the folder cannot be read.
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

    /// Whether a folder is the one that an interrupted run wrote to.
    static func isOwn(_ directory: String, of earlier: RejectCheckpoint) -> Bool {
        earlier.directory == FileSystem.resolvingLinks(directory)
    }

    /// Whether a file is `NAME.rejected.csv`, or `NAME.rejected-2.csv`, of one of the names.
    private static func isFile(_ file: String, of names: Set<String>) -> Bool {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        return parts.indices.dropFirst().dropLast().contains { index in
            RejectFileName.Content(rawValue: String(parts[index].prefix { $0 != "-" })) != nil
                && names.contains(parts[..<index].joined(separator: "."))
        }
    }

    /// `airports` of `data/airports.csv.gz`.
    static func stem(of source: String) -> String {
        let path = StreamCompression.uncompressedPath(source) ?? source
        let file = path == "-" ? "stdin" : String(path.split(separator: "/").last ?? "source")
        return file.lastIndex(of: ".").map { $0 > file.startIndex ? String(file[..<$0]) : file } ?? file
    }
}
