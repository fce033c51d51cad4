import RecordSources

/// The columns and paths of a part that may contain the values of attributes: its own single values, and those of its
/// single parts.
struct AttributeCandidates {
    struct Candidate {
        /// The index of the field in the part; for a longer path, that of its first field.
        let field: Int
        let path: String
        let words: NameWords
        let joined: String
        let wholeWords: NameWords
        let wholeJoined: String
        let wholeSingulars: Set<String>
        let values: SampledValues
        /// Whether it is a value of the part itself, not of a part in it.
        let isDirect: Bool
        /// Whether it is in an object that only groups the record's values, as in GeoJSON.
        let isWrapped: Bool
    }

    private(set) var all: [Candidate] = []
    /// The words of which a similar attribute's name must contain at least one.
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
                // Names of members that are ids contain no information about the record.
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
        // Without the name of any entity at the beginning.
        for start in words.words.indices {
            let rest = NameWords(words: Array(words.words[start...]))
            tokens.insert(rest.joined)
            tokens.formUnion(NameSynonyms.meaning(rest))
        }
        if path == "@key" { tokens.formUnion(DestinationKeys.identifiers) }
        if path == "text()" { tokens.formUnion(NameSynonyms.ofTexts) }
    }
}
