import ImportMappings
import ManagedObjectModels
import RecordSources
import SQLiteAccess

/// Finds the column, path or part for the objects of a relationship.
struct RelationshipMatching {
    enum Match {
        /// Keys of the other objects.
        case key(RelationshipMapping.KeyTarget, field: Int, remark: String?)
        /// Objects in the record: the path of the parts, and their contents.
        case part(path: String, SampledPart, field: Int)
        /// Something has the right name, but cannot be used.
        case unusable(field: Int, reason: String)
    }

    private let part: SampledPart
    private let keys: DestinationKeys
    /// The names of the part's fields as words.
    private let words: [NameWords]
    private var model: ResolvedModel { keys.model }

    init(_ part: SampledPart, keys: DestinationKeys) {
        self.part = part
        self.keys = keys
        words = part.fields.map { NameWords($0.name) }
    }

    /// - Parameter taken: fields that are used for attributes.
    func match(_ relationship: ResolvedRelationship, of entity: ResolvedEntity, taken: Set<Int>) -> Match? {
        let destination = model.entities[relationship.destination]
        let hints = PropertyHints(relationship.description.userInfo)
        for (index, field) in part.fields.enumerated() where !taken.contains(index) {
            guard let named = name(field, words[index], relationship, destination, of: entity, hints) else { continue }
            if relationship.isToMany, let member = field.keyedPart {
                return .part(path: field.path + ".*", member, field: index)
            }
            if let inner = field.part {
                return .part(path: path(of: field, relationship), inner, field: index)
            }
            return byKey(field, index, relationship, destination, named: named.attribute, hints)
        }
        return nil
    }

    /// Returns the only part with just attributes of the destination, regardless of its name; nil if it is ambiguous.
    ///
    /// - Parameter taken: fields that are used for attributes and other relationships.
    func matchByContent(_ relationship: ResolvedRelationship, of entity: ResolvedEntity, taken: Set<Int>) -> Match? {
        let destination = model.entities[relationship.destination]
        let rivals = entity.relationships.filter { $0.destination == relationship.destination }
        guard rivals.count == 1, !destination.isAbstract else { return nil }
        let fits = part.fields.enumerated().filter { index, field in
            let member = relationship.isToMany ? field.keyedPart : nil
            guard !taken.contains(index), let inner = member ?? field.part, inner.fields.count > 1 else { return false }
            // The id of a member need not be an attribute.
            let isOpen = inner.fields.contains { $0.name == "@key" }
            return AttributeMatching(inner, entity: keys.names.entities[destination.slot]).matches.count {
                $0.conversion.isUsable && !(isOpen && $0.path == "@key")
            }
                == inner.fields.count - (isOpen ? 1 : 0)
        }
        guard fits.count == 1 else { return nil }
        let field = fits[0].element
        if relationship.isToMany, let member = field.keyedPart {
            return .part(path: field.path + ".*", member, field: fits[0].offset)
        }
        return field.part.map { .part(path: path(of: field, relationship), $0, field: fits[0].offset) }
    }

    /// The name of a field in terms of a relationship.
    private struct Naming {
        /// The part of the name after the relationship's, as in `department_code`.
        var attribute: ResolvedAttribute?
    }

    private func name(
        _ field: SampledField, _ words: NameWords, _ relationship: ResolvedRelationship, _ destination: ResolvedEntity,
        of entity: ResolvedEntity, _ hints: PropertyHints
    ) -> Naming? {
        if hints.names.contains(field.path) || hints.names.contains(field.step) { return Naming() }
        let own = NameWords(relationship.name)
        var names = [own, own.singular]
        // The destination's name is sufficient if only one relationship leads there.
        let others = entity.relationships.filter { $0.destination == relationship.destination }
        if others.count == 1 { names.append(NameWords(destination.name)) }
        for name in names {
            if words.isSame(as: name) { return Naming() }
            for plural in [words, words.singular] {
                guard let rest = plural.dropping(prefix: name) else { continue }
                if rest.words == ["id"] || rest.words == ["ref"] || rest.words == ["key"] { return Naming() }
                if let attribute = destination.attributes.first(where: { NameWords($0.name).isSame(as: rest) }) {
                    return Naming(attribute: attribute)
                }
            }
        }
        return nil
    }

    /// Returns the path to all objects of a to-many relationship, even if the sample never has two of them.
    private func path(of field: SampledField, _ relationship: ResolvedRelationship) -> String {
        let mayRepeat = relationship.isToMany && part.isNested && !field.isRepeated && !field.name.hasPrefix("@")
        return field.path + (mayRepeat ? "[*]" : "")
    }

    private func byKey(
        _ field: SampledField, _ index: Int, _ relationship: ResolvedRelationship, _ destination: ResolvedEntity,
        named: ResolvedAttribute?, _ hints: PropertyHints
    ) -> Match {
        var candidates = [hints.relatedBy.flatMap { destination.attribute(named: $0) }, named].compactMap { $0 }
        candidates += keys.attributes(of: destination)
        guard !candidates.isEmpty else {
            return .unusable(field: index, reason: "\(destination.name) has no attribute that tells its objects apart")
        }
        let separator = relationship.isToMany && !field.isRepeated ? Self.separator(in: field.values) : nil
        let values = separator.map { Self.split(field.values, at: $0) } ?? field.values
        let areNumbers = values.texts.allSatisfy { Double($0) != nil }
        for attribute in candidates {
            // Numbers are not names, although every text could be one.
            let isName = DestinationKeys.names.contains(NameWords(attribute.name).joined)
            if isName, areNumbers, !values.fields.isEmpty, named?.name != attribute.name { continue }
            let conversion = ConversionDraft(
                values, type: attribute.type, hints: PropertyHints(attribute.description.userInfo))
            guard conversion.isUsable else { continue }
            var target = RelationshipMapping.KeyTarget(
                attribute: attribute.name,
                value: .column(separator == nil ? path(of: field, relationship) : field.path),
                conversion: conversion.settings,
                separator: separator)
            let others = DestinationKeys.required(destination).filter { $0.name != attribute.name }
            let canCreate = !destination.isAbstract && others.isEmpty
            var remark = conversion.remark
            if !keys.hasSource(for: destination) {
                if canCreate { target.missing = .create }
                remark =
                    remark
                    ?? (canCreate
                        ? nil : "\(destination.name) must be in the store: nothing here creates it")
            }
            return .key(target, field: index, remark: remark)
        }
        return .unusable(
            field: index,
            reason: "its values, such as \(CommentText.examples(field.values)), do not fit "
                + candidates.map { "\(destination.name).\($0.name)" }.joined(separator: " or "))
    }

    // MARK: Lists in one text

    private static let separators = ["|", ";", ",", "\t"]

    /// Returns the separator of several keys in a text; nil if every text has one key.
    private static func separator(in values: SampledValues) -> String? {
        separators.first { separator in
            let several = values.texts.filter { $0.contains(separator) }
            return several.count >= max(1, values.fields.count / 20)
        }
    }

    private static func split(_ values: SampledValues, at separator: String) -> SampledValues {
        var parts = SampledValues(values.limits)
        var batch = RecordBatch()
        for text in values.texts {
            for part in text.split(separator: Character(separator)) {
                let range = batch.appendRange(Array(part.utf8))
                parts.add(RecordField(.text, start: range.start, length: range.count), of: batch)
            }
        }
        return parts
    }
}
