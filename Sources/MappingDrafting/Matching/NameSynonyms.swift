/// Words with the same meaning for a value.
enum NameSynonyms {
    private static let synonyms = [
        ["id", "identifier", "uuid", "guid"], ["name", "title"], ["url", "uri", "link", "website", "homepage"],
        ["summary", "description", "abstract"], ["note", "remark", "comment"], ["latitude", "lat"],
        ["longitude", "lon", "lng", "long"], ["telephone", "phone", "tel"], ["email", "mail"],
        ["created", "creation"], ["updated", "modified", "modification"], ["elevation", "ele", "altitude"],
        ["published", "pub"], ["kind", "type"],
    ]
    private static let representatives = Dictionary(
        uniqueKeysWithValues: synonyms.flatMap { words in words.map { ($0, words[0]) } })

    /// The words whose value may be the text of an element.
    static let ofTexts: Set<String> = ["name", "title", "text", "value", "content", "body"]

    /// Returns the meaning of a name without words that only describe its type; equal for synonyms.
    static func meaning(_ name: NameWords) -> [String] {
        var words = name.singular.words
        while words.count > 1, ["at", "on", "date", "time"].contains(words[words.count - 1]) { words.removeLast() }
        return words.map { representatives[$0] ?? $0 }
    }
}
