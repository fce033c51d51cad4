import RecordSources

/// The keys of import mapping files, each list in the order in which they are documented and written.
enum MappingKeys {
    static let file = ["import", "settings", "sources"]
    static let source =
        [
            "name", "files", "format", "settings", "where", "delimiter", "quote", "escape", "newline", "header",
            "columns",
            "comment", "encoding", "skipLines", "ragged", "layout", "records", "namespaces", "table", "query",
        ] + RecordFormats.all.flatMap(\.ownKeys) + ["objects"]
    /// The keys of a source's only object, which are among the source's own.
    static let object = ["entity", "key", "sourceKey", "onMatch", "onMissing", "mirror", "attributes", "relationships"]
    /// The keys of an object in a list or inside a relationship.
    static let nestedObject = ["id", "in", "each", "where"]
    static let origin = ["from", "constant", "text", "expression", "columns"]
    static let settings = [
        "date", "timeZone", "locale", "binary", "folder", "archive", "decimalSeparator", "groupingSeparator", "yes",
        "no",
        "trim", "emptyAsNull", "nullTokens",
    ]
    static let attribute = origin + ["default"] + settings
    static let link = ["add", "order"]
    static let keyTarget = ["by"] + origin + ["entity", "separator", "onMissing"] + link + settings
    static let sourceKeyTarget = ["sourceKey", "entity", "separator", "onMissing"] + link
    static let reference = ["object"] + link
    static let inlineObject = ["id", "each", "where"] + object + link
    /// The keys that distinguish an object inside a relationship from a key.
    static let inlineObjectMarks = ["id", "each", "where", "key", "onMatch", "mirror", "attributes", "relationships"]
    static let filterGroups = ["any of", "all of", "none of"]
    static let condition = ["is", "not", "present"]
}
