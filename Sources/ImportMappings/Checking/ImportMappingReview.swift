internal import DocumentReading
public import ManagedObjectModels
import RecordConversion
import RecordSources
internal import SQLiteAccess
import TextEncodings

/// Checks an import mapping against a model: all names, types, settings, keys and constants.
public struct ImportMappingReview {
    /// The problems, in the order of the mapping.
    public private(set) var problems: [MappingProblem] = []

    let mapping: ImportMapping
    let model: ResolvedModel

    /// Reviews a mapping.
    public init(_ mapping: ImportMapping, model: ResolvedModel) {
        self.mapping = mapping
        self.model = model
        for source in mapping.sources.indices {
            for object in mapping.sources[source].objects.indices {
                review(object: object, source: source)
            }
        }
    }

    mutating func report(_ code: MappingProblem.Code, _ subject: String, at place: MappingPlace) {
        problems.append(MappingProblem(code, subject, at: place))
    }

    // MARK: Objects

    private mutating func review(object index: Int, source: Int) {
        let object = mapping.sources[source].objects[index]
        let place = MappingPlace(source: source, object: index)
        guard let entity = model.entity(named: object.entity) else {
            let suggestion = NearestName.find(object.entity, among: model.entities.map(\.name))
            return report(.unknownEntity(suggestion: suggestion), object.entity, at: place.key("entity"))
        }
        if entity.isAbstract && object.onMissing == .create {
            report(.abstractEntity, entity.name, at: place.key("entity"))
        }
        let inherited = mapping.sources[source].settings.inheriting(mapping.settings)
        var known = Set<String>()
        for attribute in object.attributes {
            let place = place.property(attribute.attribute)
            if !known.insert(attribute.attribute).inserted {
                report(.mappedTwice, "\(entity.name).\(attribute.attribute)", at: place)
            }
            review(attribute, of: entity, inherited: inherited, at: place)
        }
        for relationship in object.relationships {
            let place = place.property(relationship.relationship)
            if !known.insert(relationship.relationship).inserted {
                report(.mappedTwice, "\(entity.name).\(relationship.relationship)", at: place)
            }
            review(relationship, of: entity, source: source, inherited: inherited, at: place)
        }
        review(keyOf: object, entity: entity, at: place)
        if object.onMissing == .create && !entity.isAbstract {
            warnOfUnmapped(known, of: entity, at: place)
        }
    }

    private mutating func review(keyOf object: ObjectMapping, entity: ResolvedEntity, at place: MappingPlace) {
        for (index, name) in object.key.enumerated() {
            let subject = "\(entity.name).\(name)"
            let place = place.key(object.key.count == 1 ? "key" : "key.\(index)")
            if let relationship = entity.relationship(named: name) {
                if relationship.isToMany {
                    report(.toManyInKey, subject, at: place)
                } else if !object.relationships.contains(where: { $0.relationship == name }) {
                    report(.keyNotMapped, subject, at: place)
                }
            } else if entity.attribute(named: name) == nil {
                report(.unknownAttribute(suggestion: suggestion(name, entity)), subject, at: place)
            } else if !object.attributes.contains(where: { $0.attribute == name }) {
                report(.keyNotMapped, subject, at: place)
            }
        }
        let isPart = object.records != nil || object.parent != nil
        if object.mirrors, !isPart, ImportMapping.key(of: object, entity: entity, in: model).isEmpty {
            report(.noKeyForMirror, entity.name, at: place.key("mirror"))
        }
        let needsKey = object.onMatch != .update || object.onMissing != .create
        if needsKey && ImportMapping.key(of: object, entity: entity, in: model).isEmpty {
            report(.noKeyForPolicy, entity.name, at: place.key(object.onMissing != .create ? "onMissing" : "onMatch"))
        }
    }

    private mutating func warnOfUnmapped(_ known: Set<String>, of entity: ResolvedEntity, at place: MappingPlace) {
        let attributes = entity.attributes.filter { attribute in
            attribute.isStored && !attribute.isOptional && !attribute.isDerived
                && attribute.description.defaultValue == nil && !known.contains(attribute.name)
        }
        guard !attributes.isEmpty else { return }
        report(.requiredNotMapped(attributes: attributes.map(\.name)), entity.name, at: place.key("entity"))
    }

    func suggestion(_ name: String, _ entity: ResolvedEntity) -> String? {
        NearestName.find(name, among: entity.attributes.filter(\.isStored).map(\.name))
    }

    // MARK: Attributes

    private mutating func review(
        _ attribute: AttributeMapping, of entity: ResolvedEntity, inherited: ConversionSettings,
        at place: MappingPlace
    ) {
        let subject = "\(entity.name).\(attribute.attribute)"
        guard let found = entity.attribute(named: attribute.attribute) else {
            if entity.relationship(named: attribute.attribute) != nil {
                return report(.relationshipAmongAttributes, subject, at: place)
            }
            let suggestion = suggestion(attribute.attribute, entity)
            return report(.unknownAttribute(suggestion: suggestion), subject, at: place)
        }
        if found.description.isTransient { return report(.transient, subject, at: place) }
        if found.isDerived { return report(.derived, subject, at: place) }
        let conversion = review(attribute.conversion, inherited, type: found.type, subject, at: place)
        guard let conversion else { return }
        if let text = attribute.defaultValue { review(text, conversion, subject, at: place.key("default")) }
        if case .constant(let text) = attribute.value { review(text, conversion, subject, at: place.key("constant")) }
    }

    /// Returns the conversion for settings; nil if they have an error.
    mutating func review(
        _ settings: ConversionSettings, _ inherited: ConversionSettings, type: AttributeType, _ subject: String,
        at place: MappingPlace
    ) -> ValueConversion? {
        do throws(ConversionSettingsError) {
            return try ValueConversion(to: type, settings: settings, inherited: inherited)
        } catch {
            report(.setting(error), subject, at: error.setting.map(place.key) ?? place)
            return nil
        }
    }

    /// Checks that a text in the mapping itself can be converted to a value.
    mutating func review(_ text: String, _ conversion: ValueConversion, _ subject: String, at place: MappingPlace) {
        // The content of a file is only relevant during the import.
        if case .file = conversion.binary, conversion.target == .binary { return }
        // Values that a value transformer does not accept are also detected during the import.
        if case .archive = conversion.binary { return }
        var batch = RecordBatch()
        let range = batch.appendRange(Array(text.utf8))
        do throws(ConversionFailure) {
            _ = try conversion.convert(RecordField(.text, start: range.start, length: range.count), in: &batch)
        } catch {
            report(.unconvertible(text: text, error, expected: conversion.expectation), subject, at: place)
        }
    }
}
