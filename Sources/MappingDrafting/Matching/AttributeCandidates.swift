import RecordSources

/// The columns and paths of a part that may have the values of attributes: its own single values, and those of single
/// parts in it.
struct AttributeCandidates {
    struct Candidate {
        /// The index of the field in the part; that of the outermost where the path leads further in.
        let field: Int
        let path: String
        let words: NameWords
        let joined: String
        let wholeWords: NameWords
        let wholeJoined: String
        let wholeSingulars: Set<String>
        let values: SampledValues
        /// Whether it is the part's own value, not one of a part in it.
        let isDirect: Bool
        /// Whether it lies in an object that only holds the record's values, as in GeoJSON.
        let isWrapped: Bool
    }

    private(set) var all: [Candidate] = []
    /// What names of attributes must have one of to be alike.
    let tokens: Set<String>

    init(_ part: SampledPart) {
        let limits = part.limits
        var found: [Candidate] = []
        func visit(_ part: SampledPart, _ prefix: String, _ names: [String], _ outermost: Int?) {
            for (index, field) in part.fields.enumerated() where !field.isRepeated {
                guard found.count < limits.candidates else { return }
                let path = prefix.isEmpty ? field.step : prefix + "." + field.step
                let whole = names + [field.name]
                if !field.values.fields.isEmpty || field.part == nil {
                    found.append(Candidate(outermost ?? index, path, field, whole))
                }
                // Names of members that are ids say nothing of the record.
                if field.keyedPart == nil, let inner = field.part, names.count < limits.candidateDepth {
                    visit(inner, path, whole, outermost ?? index)
                }
            }
        }
        visit(part, "", [], nil)
        all = found
        var tokens = Set<String>()
        for candidate in found { candidate.addTokens(to: &tokens) }
        self.tokens = tokens
    }
}

extension AttributeCandidates.Candidate {
    fileprivate init(_ field: Int, _ path: String, _ sampled: SampledField, _ names: [String]) {
        let words = NameWords(sampled.name)
        let whole = names.count == 1 ? words : NameWords(names.joined(separator: " "))
        let outer = whole.words.dropLast(words.words.count)
        self.field = field
        self.path = path
        self.words = words
        joined = words.joined
        wholeWords = whole
        wholeJoined = whole.joined
        wholeSingulars = whole.singularWords
        values = sampled.values
        isDirect = !path.contains(".") || words.words == whole.words
        isWrapped = outer.count == 1 && ["properties", "attributes", "fields", "data"].contains(outer.first)
    }

    fileprivate func addTokens(to tokens: inout Set<String>) {
        tokens.insert(path)
        tokens.insert(wholeJoined)
        tokens.formUnion(wholeWords.words)
        tokens.formUnion(wholeSingulars)
        // Without an entity's name at the beginning, whichever it is.
        for start in words.words.indices {
            let rest = NameWords(words: Array(words.words[start...]))
            tokens.insert(rest.joined)
            tokens.formUnion(NameSynonyms.meaning(rest))
        }
        if path == "@key" { tokens.formUnion(DestinationKeys.identifiers) }
        if path == "text()" { tokens.formUnion(NameSynonyms.ofTexts) }
    }
}
