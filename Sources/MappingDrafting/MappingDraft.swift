public import ImportMappings

/// A first version of an import mapping for some sources, with comments on what is certain and what remains to be done.
public struct MappingDraft: Sendable {
    /// The mapping of the sources that records can be read from.
    public let mapping: ImportMapping
    /// The comments in the mapping file, by their place.
    public let comments: [MappingPlace: MappingComment]
    /// The sources that it leaves out, which the mapping file contains as comments.
    public let leftOut: [LeftOutSource]
    /// The unused columns, by source.
    package let unmatched: [[String]]

    /// The mapping file, in the format that `ImportMappingReader` reads.
    public var yaml: String { ImportMappingWriter.yaml(mapping, comments: comments, leftOut: leftOut) }
}

/// Why no mapping can be drafted.
public struct MappingDraftError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Equatable, Sendable {
        /// The model has no entity with this name; with the most similar one.
        case unknownEntity(String, suggestion: String?)
        /// The entity is abstract: it has no objects of its own.
        case abstractEntity(String)
        /// No source has columns with the names of an entity's attributes.
        case nothingMatches([String])
    }

    /// The kind of the error.
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
