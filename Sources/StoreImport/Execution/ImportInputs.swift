import ImportMappings

/// What is read, in which order, and by which mapping. Files of one source share its mapping.
struct ImportInputs {
    struct Mapping {
        let source: SourceMapping
        /// The index of the mapping's source; nil if no one wrote a mapping.
        let index: Int?
    }

    struct File {
        let path: String
        /// The index of its mapping.
        let mapping: Int
        /// What is known without opening it; nil if it is to be opened.
        var columns: Columns?
    }

    /// The columns of a file.
    struct Columns {
        /// nil for a nested source.
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
        // Without a mapping file a source is called as the file, which tells no two mappings apart.
        if index == nil { key.source.name = "" }
        let mapping = known[key] ?? mappings.count
        if mapping == mappings.count {
            known[key] = mapping
            mappings.append(Mapping(source: source, index: index))
        }
        files.append(File(path: path, mapping: mapping))
        counts[path, default: 0] += 1
    }

    /// Adds a mapping, to which files refer by its place.
    mutating func appendMapping(_ source: SourceMapping, index: Int?) {
        mappings.append(Mapping(source: source, index: index))
    }

    /// Adds a file of a mapping that is there.
    mutating func appendFile(_ path: String, mapping: Int, columns: Columns) {
        files.append(File(path: path, mapping: mapping, columns: columns))
        counts[path, default: 0] += 1
    }

    func mapping(of file: File) -> Mapping { mappings[file.mapping] }

    /// Whether a file is read more than once.
    func isShared(_ file: File) -> Bool { counts[file.path, default: 0] > 1 }
}
