/// The contents of a YAML document, with comments; `YAMLTreeWriter` determines the form.
indirect enum YAMLTree {
    case text(String)
    /// A flag or a number, which is written without quotes.
    case word(String)
    case list([YAMLTree])
    case map([Entry])

    struct Entry {
        var key: String
        var value: YAMLTree
        var comment = MappingComment()

        init(_ key: String, _ value: YAMLTree, _ comment: MappingComment = MappingComment()) {
            self.key = key
            self.value = value
            self.comment = comment
        }
    }

    /// Returns a single text alone, and several as a list.
    static func texts(_ texts: [String]) -> YAMLTree {
        texts.count == 1 ? .text(texts[0]) : .list(texts.map { .text($0) })
    }

    static func flag(_ value: Bool) -> YAMLTree { .word(value ? "true" : "false") }
}
