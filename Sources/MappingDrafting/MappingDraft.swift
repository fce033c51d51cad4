public import ImportMappings

/// A first import mapping for some sources, with comments on what is sure and what is left to do.
public struct MappingDraft: Sendable {
    /// The mapping of the sources that records can be read from.
    public let mapping: ImportMapping
    /// What the mapping file says in comments, by the part that it is about.
    public let comments: [MappingPlace: MappingComment]
    /// The sources that it leaves out; the mapping file has them in comments.
    public let leftOut: [LeftOutSource]
    /// By source, the columns that nothing was made of.
    package let unmatched: [[String]]

    /// The mapping file, which `ImportMappingReader` reads.
    public var yaml: String { ImportMappingWriter.yaml(mapping, comments: comments, leftOut: leftOut) }
}

/// Why no mapping can be drafted.
public struct MappingDraftError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why no mapping can be drafted.
    public enum Code: Equatable, Sendable {
        /// The model has no entity of this name; with the nearest one.
        case unknownEntity(String, suggestion: String?)
        /// The entity is abstract: it has no objects of its own.
        case abstractEntity(String)
        /// No source has columns with the names of an entity's attributes.
        case nothingMatches([String])
    }

    /// Why no mapping can be drafted.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    public var description: String {
        switch code {
        case .unknownEntity(let name, let suggestion):
            "the model has no entity \"\(name)\"; "
                + (suggestion.map { "did you mean \"\($0)\"?" } ?? "name one of its entities")
        case .abstractEntity(let name):
            "the entity \"\(name)\" is abstract and has no objects of its own; name one of its subentities"
        case .nothingMatches(let reasons):
            "no entity has attributes with the names of the columns; name one with --entity\n"
                + reasons.joined(separator: "\n")
        }
    }
}
