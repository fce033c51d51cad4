import ManagedObjectModels
import RecordConversion

/// The names of an entity and its attributes as words, computed once for all sources of a draft.
final class EntityNames {
    /// An attribute that a column may fill.
    struct Attribute {
        let attribute: ResolvedAttribute
        let words: NameWords
        let joined: String
        /// The name without the entity's name at the beginning.
        let bare: NameWords
        let bareJoined: String
        let formerJoined: String
        let singulars: Set<String>
        let meaning: [String]
        let hints: PropertyHints
    }

    let entity: ResolvedEntity
    let words: NameWords
    /// The current and the former name.
    let titles: [NameWords]
    let attributes: [Attribute]
    let required: Set<String>
    /// Every column that may be similar to an attribute contains one of these.
    let tokens: Set<String>

    init(_ entity: ResolvedEntity) {
        self.entity = entity
        let words = NameWords(entity.name)
        self.words = words
        titles = entity.canonicalName == entity.name ? [words] : [words, NameWords(entity.canonicalName)]
        required = Set(DestinationKeys.required(entity).map(\.name))
        attributes = entity.attributes.compactMap { attribute in
            guard attribute.isStored, !attribute.isDerived, ValueConversion(attributeType: attribute.type) != nil else {
                return nil
            }
            let own = NameWords(attribute.name)
            let bare = own.dropping(prefix: words) ?? own
            return Attribute(
                attribute: attribute, words: own, joined: own.joined, bare: bare, bareJoined: bare.joined,
                formerJoined: NameWords(attribute.canonicalName).joined, singulars: own.singularWords,
                meaning: NameSynonyms.meaning(bare), hints: PropertyHints(attribute.description.userInfo))
        }
        var tokens = Set<String>()
        for attribute in attributes {
            tokens.formUnion([attribute.joined, attribute.bareJoined, attribute.formerJoined])
            tokens.formUnion(attribute.words.words)
            tokens.formUnion(attribute.singulars)
            tokens.formUnion(attribute.meaning)
            tokens.formUnion(attribute.hints.names)
        }
        self.tokens = tokens
    }

    /// Returns a name without the entity's name at the beginning.
    func bare(_ name: NameWords) -> NameWords { name.dropping(prefix: words) ?? name }
}

extension NameWords {
    /// Each word in the singular.
    var singularWords: Set<String> { Set(words.map { NameWords(words: [$0]).singular.joined }) }
}
