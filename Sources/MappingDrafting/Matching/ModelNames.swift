import ManagedObjectModels

/// The names of a model in words, found once for all sources of a draft.
final class ModelNames {
    /// By slot.
    let entities: [EntityNames]
    /// The entities that have a word in their name, and those whose name is its words without what parts them.
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

    /// How much the names of entities are like titles of a source, by slot; those that are not like any are left out.
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
