import ImportMappings

/// The files that an import reads, in their order, each with its mapping. Files of one source share a mapping.
struct ImportInputs {
    struct Mapping {
        let source: SourceMapping
        /// The index of the source in the mapping file; nil if there is no mapping file.
        let index: Int?
    }

    struct File {
        let path: String
        /// The index of its mapping.
        let mapping: Int
        /// What is known about the columns of the file without opening it; nil if it must be opened.
        var columns: Columns?
    }

    /// The columns of a file.
    struct Columns {
        /// The names of the columns; nil for a nested source.
        let names: [String]?
    }

    private struct Key: Hashable {
        var source: SourceMapping
        let index: Int?
    }

    private(set) var mappings: [Mapping] = []
    private(set) var files: [File] = []
    private var known: [Key: Int] = [:]
    private var counts: [String: Int] = [:]

    /// Adds a file of a source.
    mutating func append(_ path: String, by source: SourceMapping, index: Int? = nil) {
        var key = Key(source: source, index: index)
        // Without a mapping file, a source is named after its file, which must not distinguish two mappings.
        if index == nil { key.source.name = "" }
        let mapping = known[key] ?? mappings.count
        if mapping == mappings.count {
            known[key] = mapping
            mappings.append(Mapping(source: source, index: index))
        }
        files.append(File(path: path, mapping: mapping))
        counts[path, default: 0] += 1
    }

    /// Adds a mapping, to which files refer by its index.
    mutating func appendMapping(_ source: SourceMapping, index: Int?) {
        mappings.append(Mapping(source: source, index: index))
    }

    /// Adds a file of a mapping that was added before.
    mutating func appendFile(_ path: String, mapping: Int, columns: Columns) {
        files.append(File(path: path, mapping: mapping, columns: columns))
        counts[path, default: 0] += 1
    }

    func mapping(of file: File) -> Mapping { mappings[file.mapping] }

    /// Returns whether a file is read more than once.
    func isShared(_ file: File) -> Bool { counts[file.path, default: 0] > 1 }
}
