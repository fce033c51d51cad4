import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess
import ValueTransformers

/// The compiler of import mappings. It checks a mapping against a model, a layout and the columns of the sources, and
/// resolves its names. It has no side effects.
struct ImportCompiler {
    let layout: StoreLayout
    private(set) var compiled = CompiledImport()
    /// The settings for the values of the current source.
    private(set) var settings = ConversionSettings()
    /// The folder of the current source, which contains its binary files.
    private(set) var sourceFolder = "."
    /// The complete mapping, because relationships may refer to the keys of any objects.
    let mapping: ImportMapping
    /// The time of `now()` in expressions.
    private let now: Double
    /// Whether a user wrote the mapping, so that everything it names should exist.
    private let isWritten: Bool

    /// Returns whether the store may contain objects of an entity, given its name.
    var holdsObjects: (String) -> Bool = { _ in true }

    /// The value transformers for transformable attributes.
    var transformers = ValueTransformerRegistry()

    /// The localized warnings of validation predicates.
    private let localization: LocalizationDictionary?

    init(
        layout: StoreLayout, mapping: ImportMapping, now: Double, localization: LocalizationDictionary? = nil,
        isWritten: Bool = true
    ) {
        self.isWritten = isWritten
        self.layout = layout
        self.now = now
        self.localization = localization
        self.mapping = mapping
    }

    /// Returns the attribute that identifies an entity's objects, according to its mapping or else its uniqueness
    /// constraint.
    private func ownKey(of entity: ResolvedEntity) -> String? {
        if let key = mapping.sources.flatMap(\.objects).first(where: { $0.entity == entity.name && $0.key.count == 1 })?
            .key.first
        {
            return key
        }
        return model.uniquenessConstraints(of: entity.slot).first { $0.properties.count == 1 }?.properties.first
    }

    var model: ResolvedModel { layout.model }

    /// Adds a file that is read in the same way as another one, given the index of its source.
    mutating func addFile(of source: Int) {
        compiled.files.append(source)
    }

    /// Adds a file with its own source; the catalog receives the paths with which a nested source must be opened.
    mutating func add(_ source: SourceMapping, path: String, fields: inout FieldCatalog) throws(ImportPlanError) {
        sourceFolder = FileSystem.directory(of: path)
        settings = source.settings.inheriting(mapping.settings)
        do throws(ImportPlanError) {
            var objects: [CompiledObject] = []
            for (index, object) in source.objects.enumerated() {
                do throws(ImportPlanError) {
                    objects.append(try compile(object, at: index, of: source, fields: &fields))
                } catch {
                    var error = error
                    error.place = MappingPlace(object: index, property: error.property)
                    throw error
                }
            }
            let filter = try source.filter.map { value throws(ImportPlanError) in
                try compile(value, isNested: false, &fields)
            }
            if isWritten { noteParts(of: objects, in: fields, source.name) }
            var result = try CompiledSource(
                name: source.name, filter: filter, objects: objects, namesOthers: namesOthers(objects),
                resolvers: compiled.resolvers)
            result.mayLackFields = fields.columns == nil || source.format.allowsRaggedRecords
            if isWritten, fields.columns == nil { result.watchedPaths = fields.paths }
            compiled.files.append(compiled.sources.count)
            compiled.sources.append(result)
        } catch {
            var error = error
            error.source = error.source ?? source.name
            throw error
        }
    }

    /// Returns whether the order of records matters because of references by key. A to-one relationship to an object of
    /// the same record may, by its key, lead to an object of an earlier or later record. Objects that are created
    /// because records refer to them may belong to the same table as objects of another entity or without a key, and it
    /// matters which exists first. Or one mapping may find objects that another mapping creates with another key, or
    /// without a key.
    private func namesOthers(_ objects: [CompiledObject]) -> Bool {
        let targets = objects.flatMap(\.keyTargets).map(\.target)
        func root(_ target: CompiledKeyTarget) -> Int { model.entities[target.slot].root }
        let namesParts = objects.contains { object in
            object.keyTargets.contains { _, target in
                objects.contains { $0.index != object.index && $0.table.root == root(target) }
            }
        }
        let findsOthers = objects.contains { object in
            object.hasKey
                && objects.contains { $0.keyColumns != object.keyColumns && object.mayFind($0, in: model) }
        }
        return namesParts || findsOthers
            || targets.contains { made in
                made.makesMissing
                    && (targets.contains { $0.makesMissing && $0.slot != made.slot && root($0) == root(made) }
                        || objects.contains {
                            $0.table.root == root(made) && ($0.slot != made.slot || !$0.hasKey)
                        })
            }
    }

    /// Adds findings about parts of records in a flat source, whose records have no parts.
    private mutating func noteParts(of objects: [CompiledObject], in fields: FieldCatalog, _ source: String) {
        guard let columns = fields.columns else { return }
        for object in objects {
            guard let path = object.records else { continue }
            let reason =
                columns.contains(path.text)
                ? "the values of the column have no parts"
                : "no record has the path \"\(path.text)\"" + NameList(columns).hint(for: path.text)
            let subject = "\(source), \(object.entityName): \"each: \(path.text)\" finds nothing: "
            // Files of one source may have different columns.
            if !compiled.findings.contains(where: { $0.hasPrefix(subject) }) {
                compiled.findings.append(subject + reason)
            }
        }
    }

    @_optimize(size)
    private mutating func compile(
        _ object: ObjectMapping, at index: Int, of source: SourceMapping, fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledObject {
        guard let entity = model.entity(named: object.entity) else {
            throw ImportPlanError(.unknownEntity(object.entity, known: model.entities.map(\.name)))
        }
        guard holdsObjects(entity.name) else { throw ImportPlanError(.outsideConfiguration(entity.name)) }
        guard !entity.isAbstract else { throw ImportPlanError(.abstractEntity(object.entity)) }
        guard let table = layout.table(ofEntity: entity.slot) else {
            throw ImportPlanError(.noTable(object.entity), entity: object.entity)
        }
        let isParent = source.objects.contains { $0.parent != nil && $0.parent == object.id }
        guard isParent || !object.attributes.isEmpty || !object.relationships.isEmpty else {
            throw ImportPlanError(.nothingMapped, entity: object.entity)
        }
        do throws(ImportPlanError) {
            let parent = try object.parent.map { id throws(ImportPlanError) in
                guard let index = source.objects.firstIndex(where: { $0.id == id }) else {
                    throw ImportPlanError(.unknownObject(id))
                }
                return index
            }
            let records = try object.records.map { text throws(ImportPlanError) in try fields.path(text) }
            let isNested = records != nil || (parent != nil && fields.columns == nil)
            let filter = try object.filter.map { value throws(ImportPlanError) in
                try compile(value, isNested: isNested, &fields)
            }
            var attributes: [CompiledAttribute] = []
            for mapping in object.attributes {
                attributes.append(try compile(mapping, of: entity, isNested: isNested, fields: &fields))
            }
            var toOnes: [CompiledRelationship] = []
            var toManys: [CompiledRelationship] = []
            for mapping in object.relationships {
                let relationship = try compile(mapping, of: entity, source: source, isNested: isNested, fields: &fields)
                if relationship.relationship.isToMany {
                    toManys.append(relationship)
                } else {
                    toOnes.append(relationship)
                }
            }
            let key = object.key.isEmpty ? defaultKey(of: entity, attributes) : object.key
            var keyAttributes: [Int] = []
            var keyRelationships: [Int] = []
            for name in key {
                if let index = attributes.firstIndex(where: { $0.attribute.name == name }) {
                    keyAttributes.append(index)
                } else if let index = toOnes.firstIndex(where: { $0.name == name }) {
                    keyRelationships.append(index)
                } else {
                    let isKnown = entity.attribute(named: name) != nil || entity.relationship(named: name) != nil
                    throw ImportPlanError(isKnown ? .keyNotMapped : .unknownAttribute(name), property: name)
                }
            }
            if object.mirrors, key.isEmpty, records == nil, parent == nil { throw ImportPlanError(.noKeyForMirror) }
            let sourceKey = try self.sourceKey(object.sourceKey, of: entity, isNested: isNested, &fields)
            let mapped = Set(attributes.map(\.attribute.key))
            return CompiledObject(
                index: index, id: object.id, slot: entity.slot, entityName: entity.name,
                entityNumber: layout.entityNumbers[entity.slot], table: table, parent: parent, records: records,
                filter: filter,
                keyAttributes: keyAttributes, keyRelationships: keyRelationships, sourceKey: sourceKey,
                onMatch: object.onMatch, onMissing: object.onMissing, mirrors: object.mirrors, attributes: attributes,
                toOnes: toOnes, toManys: toManys,
                defaults: defaults(of: entity, except: mapped),
                unfilled: entity.attributes.filter {
                    $0.isStored && !$0.isOptional && !$0.isDerived && !mapped.contains($0.key)
                        && StoredValue.defaultValue(of: $0) == .null
                }.map(\.name))
        } catch {
            var error = error
            error.entity = error.entity ?? object.entity
            throw error
        }
    }

    /// Returns the first uniqueness constraint whose attributes are all mapped.
    private func defaultKey(of entity: ResolvedEntity, _ attributes: [CompiledAttribute]) -> [String] {
        model.uniquenessConstraints(of: entity.slot).first { constraint in
            constraint.properties.allSatisfy { name in attributes.contains { $0.attribute.name == name } }
        }?.properties ?? []
    }

    private func defaults(
        of entity: ResolvedEntity, except mapped: Set<PropertyKey>
    ) -> [(column: String, value: ConvertedDefault)] {
        entity.attributes.compactMap { attribute in
            guard attribute.isStored, !attribute.isDerived, !mapped.contains(attribute.key),
                let column = layout.column(.attribute(attribute.key))?.name
            else { return nil }
            return ConvertedDefault(StoredValue.defaultValue(of: attribute)).map { (column, $0) }
        }
    }

    @_optimize(size)
    private mutating func compile(
        _ mapping: AttributeMapping, of entity: ResolvedEntity, isNested: Bool, fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledAttribute {
        do throws(ImportPlanError) {
            guard let attribute = entity.attribute(named: mapping.attribute) else {
                throw ImportPlanError(.unknownAttribute(mapping.attribute))
            }
            if attribute.isDerived { throw ImportPlanError(.derived) }
            guard attribute.isStored else { throw ImportPlanError(.transient) }
            guard let column = layout.column(.attribute(attribute.key))?.name else {
                throw ImportPlanError(.noTable(mapping.attribute))
            }
            let check = AttributeRules(attribute, localization: localization)
            if let pattern = check.unusable.first(where: \.isPattern) {
                throw ImportPlanError(.badPattern(pattern.text))
            }
            for text in check.unusable.map(\.text) {
                let name = "\(layout.model.entities[attribute.owner].name).\(attribute.name)"
                let finding = "\(name): the model's rule \(text) cannot be evaluated, and values may break it"
                if !compiled.findings.contains(finding) { compiled.findings.append(finding) }
            }
            let conversion = try conversion(mapping.conversion, to: attribute)
            let isTyped =
                switch mapping.value {
                case .column, .firstOf: fields.columns == nil
                default: false
                }
            return CompiledAttribute(
                attribute: attribute, column: column, origin: try origin(mapping.value, isNested: isNested, &fields),
                conversion: conversion,
                check: check, defaultText: mapping.defaultValue.map { Array($0.utf8) },
                modelDefault: mapping.keepsNull ? nil : ConvertedDefault(StoredValue.defaultValue(of: attribute)),
                sourceName: mapping.value.name,
                archive: CompiledArchive(conversion, attribute, of: entity.name, isNested: isTyped, transformers),
                isExternal: attribute.description.hasExternalData)
        } catch {
            var error = error
            error.property = error.property ?? mapping.attribute
            throw error
        }
    }

    private func conversion(
        _ own: ConversionSettings, to attribute: ResolvedAttribute
    ) throws(ImportPlanError) -> ValueConversion {
        do throws(ConversionSettingsError) {
            return try ValueConversion(
                to: attribute.type, settings: own, inherited: settings, sourceFolder: sourceFolder)
        } catch {
            throw ImportPlanError(.badSetting(error.description), property: attribute.name)
        }
    }

    func origin(
        _ value: ValueOrigin, isNested: Bool, _ fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledOrigin {
        func column(_ name: String) throws(ImportPlanError) -> CompiledOrigin {
            isNested ? .path(try fields.path(name)) : try fields.origin(name)
        }
        switch value {
        case .constant(let text): return .constant(Array(text.utf8))
        case .column(let name): return try column(name)
        case .firstOf(let names):
            var origins: [CompiledOrigin] = []
            for name in names { origins.append(try column(name)) }
            return .firstOf(origins)
        case .template(let template):
            var parts: [CompiledTemplatePart] = []
            for part in template.parts {
                switch part {
                case .literal(let text): parts.append(.literal(Array(text.utf8)))
                case .column(let name): parts.append(.value(try column(name)))
                }
            }
            return .template(parts)
        case .expression(let expression):
            return .computed(try CompiledExpression(expression, now: now, origin: column))
        }
    }

    @_optimize(size)
    private mutating func compile(
        _ mapping: RelationshipMapping, of entity: ResolvedEntity, source: SourceMapping, isNested: Bool,
        fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledRelationship {
        do throws(ImportPlanError) {
            guard let relationship = entity.relationship(named: mapping.relationship), relationship.isStored else {
                throw ImportPlanError(.unknownRelationship(mapping.relationship))
            }
            let order = try mapping.order.map { name throws(ImportPlanError) in
                try origin(.column(name), isNested: isNested, &fields)
            }
            let target: CompiledRelationship.Target
            switch mapping.target {
            case .object(let id):
                guard let index = source.objects.firstIndex(where: { $0.id == id }) else {
                    throw ImportPlanError(.unknownObject(id))
                }
                target = .object(index)
            case .key(let key):
                target = .key(try compile(key, of: relationship, isNested: isNested, fields: &fields))
            }
            return CompiledRelationship(
                relationship: relationship, target: target, column: layout.column(.toOne(relationship.key))?.name,
                entityColumn: layout.column(.toOneEntity(relationship.key))?.name,
                orderColumn: layout.column(.toOneOrder(relationship.key))?.name, name: mapping.relationship,
                adds: mapping.adds, order: order)
        } catch {
            var error = error
            error.property = error.property ?? mapping.relationship
            throw error
        }
    }

    @_optimize(size)
    private mutating func compile(
        _ key: RelationshipMapping.KeyTarget, of relationship: ResolvedRelationship, isNested: Bool,
        fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledKeyTarget {
        var slot = relationship.destination
        if let name = key.entity {
            guard let named = model.slot(named: name), model.isKind(named, of: slot) else {
                throw ImportPlanError(.unknownEntity(name))
            }
            slot = named
        }
        let entity = model.entities[slot]
        guard let table = layout.table(ofEntity: slot) else { throw ImportPlanError(.noTable(entity.name)) }
        try checkParts(key.parts.count, of: entity.name)
        // The values of a to-many relationship are read individually if they come from a nested record.
        let isPath = isNested || (relationship.isToMany && fields.columns == nil)
        if key.isSourceKey { return try compileSourceKey(key, of: entity, table, isPath: isPath, &fields) }
        var reference = CompiledReferenceKey()
        for part in key.parts {
            guard let name = part.attribute ?? ownKey(of: entity) else {
                throw ImportPlanError(.noKey, entity: entity.name)
            }
            try reference.add(name, of: entity, layout: layout)
        }
        var unfilled: String?
        if key.missing == .create {
            if entity.isAbstract { throw ImportPlanError(.abstractEntity(entity.name)) }
            guard reference.isOwn else {
                throw ImportPlanError(
                    .badSetting(
                        "no object can be created from another object's key; say \"onMissing: skip\" or \"error\""),
                    entity: entity.name)
            }
            unfilled =
                entity.attributes.first { other in
                    other.isStored && !other.isOptional && !other.isDerived
                        && !reference.parts.contains { $0.attribute?.key == other.key }
                        && StoredValue.defaultValue(of: other) == .null
                }?.name
        }
        var parts: [CompiledKeyTarget.Part] = []
        for (part, found) in zip(key.parts, reference.parts) {
            guard let attribute = found.attribute else { continue }
            let conversion = try conversion(part.conversion, to: attribute)
            if case .archive = conversion.binary {
                throw ImportPlanError(
                    .badSetting("a key has the bytes of \(attribute.name); \"archive\" is for values, remove it"),
                    entity: entity.name)
            }
            parts.append(
                CompiledKeyTarget.Part(
                    origin: try origin(part.value, isNested: isPath, &fields), conversion: conversion,
                    sourceName: part.value.name))
        }
        return CompiledKeyTarget(
            slot: slot, parts: parts, separator: key.separator.map { Array($0.utf8) }, missing: key.missing,
            unfilled: unfilled, clash: key.missing == .create ? clash(entity, reference) : .none,
            resolver: resolver(slot, reference, table))
    }

    /// Returns the unique values that objects which only have a key may share with other objects of their table.
    private func clash(_ entity: ResolvedEntity, _ key: CompiledReferenceKey) -> CompiledKeyTarget.Clash {
        let own = Set(key.ownColumns)
        let values = own.union(defaults(of: entity, except: []).map(\.column))
        var clash = CompiledKeyTarget.Clash.none
        for declaring in model.entities[entity.root].subtree.map({ model.entities[$0] }) {
            for properties in declaring.description.uniquenessConstraints where !properties.isEmpty {
                let columns = properties.compactMap { layout.storedColumn(ofProperty: $0, in: declaring)?.name }
                guard columns.count == properties.count, values.isSuperset(of: columns) else { continue }
                if own != Set(columns) { return .others }
                if entity.slot != entity.root { clash = .key }
            }
        }
        return clash
    }

    /// Returns the lookup for an entity and a key, which all relationships that need it share.
    mutating func resolver(_ slot: Int, _ key: CompiledReferenceKey, _ table: EntityTable) -> Int {
        let names = key.parts.map(\.name)
        if let index = compiled.resolvers.firstIndex(where: {
            $0.slot == slot && $0.key.isSourceKey == key.isSourceKey && $0.key.parts.map(\.name) == names
        }) {
            return index
        }
        let own = key.isOwn ? Set(key.parts.compactMap(\.attribute?.key)) : []
        compiled.resolvers.append(
            CompiledImport.Resolver(
                slot: slot, key: key, table: table, defaults: defaults(of: model.entities[slot], except: own)))
        return compiled.resolvers.count - 1
    }

    @_optimize(size)
    private func compile(
        _ filter: RecordFilter, isNested: Bool, _ fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledFilter {
        func list(_ filters: [RecordFilter]) throws(ImportPlanError) -> [CompiledFilter] {
            var parts: [CompiledFilter] = []
            for part in filters { parts.append(try compile(part, isNested: isNested, &fields)) }
            return parts
        }
        switch filter {
        case .isIn(let name, let values):
            return .isIn(try origin(.column(name), isNested: isNested, &fields), values.map { Array($0.utf8) })
        case .isPresent(let name): return .isPresent(try origin(.column(name), isNested: isNested, &fields))
        case .not(let inner): return .not(try compile(inner, isNested: isNested, &fields))
        case .all(let filters): return .all(try list(filters))
        case .any(let filters): return .any(try list(filters))
        }
    }
}

extension ConvertedDefault {
    /// Returns nil for NULL.
    init?(_ value: SQLiteValue) {
        switch value {
        case .null: return nil
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self = .text(bytes)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}

extension ValueOrigin {
    /// The name of the value in the source.
    var name: String {
        switch self {
        case .column(let name): name
        case .constant(let text): "\"\(text)\""
        case .firstOf, .template, .expression: columns.joined(separator: ", ")
        }
    }
}
