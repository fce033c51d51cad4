import ManagedObjectModels
import RecordSources

/// Finds the entity of a source's records.
package struct EntityMatching {
    struct Match {
        let entity: ResolvedEntity
        /// 1 if the source has the name of the entity, 0 if their names have nothing in common.
        let likeness: Double
        let attributeCount: Int
    }

    private(set) var best: Match?
    /// The entity that matches the most columns, if too few do.
    private(set) var nearest: Match?

    init(_ sample: SourceSample, names: ModelNames) {
        let candidates = AttributeCandidates(sample.records)
        let likenesses = names.likenesses(of: sample.titles)
        var first: (match: Match, score: Double)?
        func consider(_ slot: Int, likeness: Double) {
            let entity = names.entities[slot]
            let columns = max(1, min(sample.records.fields.count, entity.entity.attributes.filter(\.isStored).count))
            // The highest possible score: most entities have nothing to do with the source.
            if let first, likeness * 2 + 1 + Double(candidates.all.count) / 1000 < first.score { return }
            let count = AttributeMatching.count(candidates, entity)
            let share = min(1, Double(count) / Double(columns))
            let score = likeness * 2 + share + Double(count) / 1000
            let match = Match(entity: entity.entity, likeness: likeness, attributeCount: count)
            // The first of several equal ones, in the model's order.
            if let found = first, (found.score, -found.match.entity.slot) >= (score, -slot) { return }
            first = (match, score)
        }
        for (slot, likeness) in likenesses.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) })
        where !names.entities[slot].entity.isAbstract {
            consider(slot, likeness: likeness)
        }
        for slot in names.entities.indices where likenesses[slot] == nil && !names.entities[slot].entity.isAbstract {
            consider(slot, likeness: 0)
        }
        guard let first else { return }
        let isLikely = first.match.likeness > 0 || (first.match.attributeCount >= 2 && first.score >= 0.5)
        if isLikely { best = first.match } else if first.match.attributeCount > 0 { nearest = first.match }
    }

    /// Returns 1 for the same name, singular or plural; less if a source's name has additional words.
    package static func likeness(_ source: NameWords, _ entity: NameWords) -> Double {
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
