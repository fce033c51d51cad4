import ManagedObjectModels

/// Finds the entity that the records of a source are of.
struct EntityMatching {
    struct Match {
        let entity: ResolvedEntity
        /// 1 where the source is called as the entity, 0 where their names have nothing in common.
        let likeness: Double
        let attributeCount: Int
    }

    private(set) var best: Match?
    /// The entity that most columns fit, where too few do.
    private(set) var nearest: Match?

    init(_ sample: SourceSample, model: ResolvedModel) {
        var found: [(match: Match, score: Double)] = []
        for entity in model.entities where !entity.isAbstract {
            // A former name of the entity may be the one that the source still has.
            let names = [entity.name, entity.canonicalName].map { NameWords($0) }
            let name =
                sample.titles.flatMap { title in
                    names.map { Self.likeness(NameWords(title), $0) }
                }.max() ?? 0
            let count = AttributeMatching(sample.records, entity: entity).matches.count
            let columns = max(1, min(sample.records.fields.count, entity.attributes.filter(\.isStored).count))
            let share = min(1, Double(count) / Double(columns))
            let match = Match(entity: entity, likeness: name, attributeCount: count)
            found.append((match, name * 2 + share + Double(count) / 1000))
        }
        // The first of equals, in the model's order.
        let sorted = found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(
            \.element)
        guard let first = sorted.first else { return }
        let isLikely = first.match.likeness > 0 || (first.match.attributeCount >= 2 && first.score >= 0.5)
        if isLikely { best = first.match } else if first.match.attributeCount > 0 { nearest = first.match }
    }

    /// 1 for the same name, one or several of it; less where a source's name has words before or behind it.
    static func likeness(_ source: NameWords, _ entity: NameWords) -> Double {
        let words = NameWords(words: source.words.filter { !$0.allSatisfy(\.isNumber) }).singular.words
        let wanted = entity.singular.words
        guard !words.isEmpty, !wanted.isEmpty else { return 0 }
        if words.joined() == wanted.joined() { return 1 }
        if words.suffix(wanted.count).elementsEqual(wanted) { return 0.7 }
        if words.prefix(wanted.count).elementsEqual(wanted) || wanted.suffix(words.count).elementsEqual(words) {
            return 0.5
        }
        return 0
    }
}
