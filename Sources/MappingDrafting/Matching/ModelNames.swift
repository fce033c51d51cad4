import ManagedObjectModels

/// The names of a model as words, computed once for all sources of a draft.
final class ModelNames {
    /// The entities, by slot.
    let entities: [EntityNames]
    /// The entities by the words in their names, and by the joined words.
    private var slots: [String: [Int]] = [:]

    init(_ model: ResolvedModel) {
        entities = model.entities.map { EntityNames($0) }
        for entity in entities {
            var words = Set<String>()
            for title in entity.titles {
                words.formUnion(title.singular.words)
                words.insert(title.singular.joined)
            }
            for word in words { slots[word, default: []].append(entity.entity.slot) }
        }
    }

    /// Returns the similarity of entity names to the titles of a source, by slot, without entities that have none.
    func likenesses(of titles: [String]) -> [Int: Double] {
        var found: [Int: Double] = [:]
        for title in titles {
            let words = NameWords(title)
            let plain = NameWords(words: words.words.filter { !$0.allSatisfy(\.isNumber) }).singular
            for slot in Set((plain.words + [plain.joined]).flatMap { slots[$0] ?? [] }) {
                let likeness = entities[slot].titles.map { EntityMatching.likeness(words, $0) }.max() ?? 0
                if likeness > 0 { found[slot] = max(found[slot] ?? 0, likeness) }
            }
        }
        return found
    }
}
