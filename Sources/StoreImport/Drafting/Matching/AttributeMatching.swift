import ManagedObjectModels

/// Finds the column or path for each attribute of an entity.
struct AttributeMatching {
    /// By attribute, in the model's order.
    private(set) var matches: [AttributeMatch] = []
    /// The stored attributes that nothing is found for.
    private(set) var unfilled: [ResolvedAttribute] = []

    private struct Candidate {
        let field: Int
        let path: String
        let words: NameWords
        let wholeWords: NameWords
        let values: SampledValues
    }

    private let entityWords: NameWords
    private let candidates: [Candidate]

    init(_ part: SampledPart, entity: ResolvedEntity) {
        entityWords = NameWords(entity.name)
        candidates = Self.candidates(of: part)
        let attributes = entity.attributes.filter { attribute in
            attribute.isStored && !attribute.isDerived && ValueConversion(attributeType: attribute.type) != nil
        }
        var found: [String: (candidate: Int, likeness: AttributeMatch.Likeness)] = [:]
        var taken = Set<Int>()
        // The surest likeness first, so that no column goes to an attribute that is merely similar.
        for likeness in [AttributeMatch.Likeness.hint, .equal, .words, .prefixed, .path, .synonym] {
            for attribute in attributes where found[attribute.name] == nil {
                let candidate = candidates.indices.first { index in
                    !taken.contains(index) && isAlike(attribute, candidates[index], likeness)
                }
                guard let candidate else { continue }
                found[attribute.name] = (candidate, likeness)
                taken.insert(candidate)
            }
        }
        // The rest would keep every new object out.
        let required = Set(DestinationKeys.required(entity).map(\.name))
        let open = attributes.filter {
            found[$0.name] == nil && required.contains($0.name) && Self.isTelling($0, of: entity)
        }
        for (attribute, candidate) in contained(open, except: taken) { found[attribute] = (candidate, .contained) }
        for attribute in attributes {
            guard let match = found[attribute.name] else {
                unfilled.append(attribute)
                continue
            }
            let candidate = candidates[match.candidate]
            let hints = PropertyHints(attribute.description.userInfo)
            matches.append(
                AttributeMatch(
                    attribute: attribute, path: candidate.path, field: candidate.field, values: candidate.values,
                    likeness: match.likeness, hints: hints,
                    conversion: ConversionDraft(candidate.values, type: attribute.type, hints: hints)))
        }
    }

    /// Single values of the part itself, and of single parts in it.
    private static func candidates(of part: SampledPart) -> [Candidate] {
        var candidates: [Candidate] = []
        func visit(_ part: SampledPart, _ prefix: String, _ names: [String], _ outermost: Int?) {
            for (index, field) in part.fields.enumerated() where !field.isRepeated {
                let path = prefix.isEmpty ? field.step : prefix + "." + field.step
                let whole = names + [field.name]
                let hasValues = !field.values.fields.isEmpty || field.part == nil
                if hasValues {
                    candidates.append(
                        Candidate(
                            field: outermost ?? index, path: path, words: NameWords(field.name),
                            wholeWords: NameWords(whole.joined(separator: " ")), values: field.values))
                }
                if let inner = field.part, names.count < 4 { visit(inner, path, whole, outermost ?? index) }
            }
        }
        visit(part, "", [], nil)
        return candidates
    }

    /// Whether a name says so much that a column with more words is still likely to mean it: what tells objects apart,
    /// or names them, is as often another object's.
    private static func isTelling(_ attribute: ResolvedAttribute, of entity: ResolvedEntity) -> Bool {
        let words = NameWords(attribute.name)
        let bare = words.dropping(prefix: NameWords(entity.name)) ?? words
        return !DestinationKeys.isIdentifier(attribute.name, of: entity) && !DestinationKeys.names.contains(bare.joined)
    }

    /// The attributes for which there is one column only that contains their words, or is one of them at their end.
    private func contained(
        _ attributes: [ResolvedAttribute], except taken: Set<Int>
    ) -> [(attribute: String, candidate: Int)] {
        var found: [(attribute: String, candidate: Int)] = []
        for attribute in attributes {
            let fitting = candidates.indices.filter { index in
                !taken.contains(index) && isAlike(attribute, candidates[index], .contained)
            }
            if fitting.count == 1 { found.append((attribute.name, fitting[0])) }
        }
        // A column that several could mean is nobody's.
        return found.filter { match in found.filter { $0.candidate == match.candidate }.count == 1 }
    }

    private func converts(_ candidate: Candidate, to attribute: ResolvedAttribute) -> Bool {
        let hints = PropertyHints(attribute.description.userInfo)
        return ConversionDraft(candidate.values, type: attribute.type, hints: hints).failureCount == 0
    }

    private func isAlike(
        _ attribute: ResolvedAttribute, _ candidate: Candidate, _ likeness: AttributeMatch.Likeness
    ) -> Bool {
        let words = NameWords(attribute.name)
        let isDirect = !candidate.path.contains(".") || candidate.words.words == candidate.wholeWords.words
        switch likeness {
        case .hint: return PropertyHints(attribute.description.userInfo).names.contains(candidate.path)
        case .equal: return isDirect && (candidate.path == attribute.name || candidate.path == "@" + attribute.name)
        case .words: return words.joined == candidate.wholeWords.joined
        case .prefixed:
            guard isDirect else { return false }
            let former = NameWords(attribute.canonicalName)
            return bare(words).joined == bare(candidate.words).joined || former.joined == candidate.words.joined
                || isRemoteKey(words, candidate.words)
        case .path:
            guard !isDirect else { return false }
            return Set(words.words.map { NameWords(words: [$0]).singular.joined })
                == Set(candidate.wholeWords.words.map { NameWords(words: [$0]).singular.joined })
                || isWrapped(candidate) && words.joined == candidate.words.joined
        case .synonym:
            if candidate.path == "text()" {
                return ["name", "title", "text", "value", "content", "body"].contains(bare(words).joined)
            }
            // No more than a guess: the values must fit.
            guard isDirect, !candidate.values.fields.isEmpty,
                Self.meaning(bare(words)) == Self.meaning(bare(candidate.words))
            else { return false }
            return converts(candidate, to: attribute)
        case .contained:
            let (own, other) = (bare(words).words, candidate.words.words)
            guard isDirect, !candidate.values.fields.isEmpty, !own.isEmpty, !other.isEmpty else { return false }
            let isContained =
                other.indices.contains { other[$0...].starts(with: own) } || own.suffix(other.count) == other[...]
            return isContained && converts(candidate, to: attribute)
        }
    }

    private func bare(_ words: NameWords) -> NameWords { words.dropping(prefix: entityWords) ?? words }

    private static let synonyms = [
        ["id", "identifier", "uuid", "guid"], ["name", "title"], ["url", "uri", "link", "website", "homepage"],
        ["summary", "description", "abstract"], ["note", "remark", "comment"], ["latitude", "lat"],
        ["longitude", "lon", "lng", "long"], ["telephone", "phone", "tel"], ["email", "mail"],
        ["created", "creation"], ["updated", "modified", "modification"], ["elevation", "ele", "altitude"],
        ["published", "pub"], ["kind", "type"],
    ]

    /// What a name says without words that only tell its type, the same for all words of one meaning.
    private static func meaning(_ name: NameWords) -> [String] {
        var words = name.singular.words
        while words.count > 1, ["at", "on", "date", "time"].contains(words[words.count - 1]) { words.removeLast() }
        return words.map { word in synonyms.first { $0.contains(word) }?.first ?? word }
    }

    /// Whether a value lies in an object that only holds the record's values, as in GeoJSON.
    private func isWrapped(_ candidate: Candidate) -> Bool {
        let outer = candidate.wholeWords.words.dropLast(candidate.words.words.count)
        return outer.count == 1 && ["properties", "attributes", "fields", "data"].contains(outer.first)
    }

    /// Sync's convention: `remoteID` holds what the source calls `id`.
    private func isRemoteKey(_ attribute: NameWords, _ column: NameWords) -> Bool {
        attribute.words == ["remote", "id"] && column.words == ["id"]
    }
}
