import ImportMappings
import ManagedObjectModels
import RecordSources

/// Drafts the objects for the records of one source: the record's own, and those for its parts.
struct ObjectDrafting {
    private(set) var objects: [ObjectMapping] = []
    private(set) var comments: [MappingPlace: MappingComment] = [:]

    /// The possible key of the source's own objects, if none is declared.
    private(set) var guessedKey: [String] = []
    /// The unused columns.
    private(set) var unmatched: [String] = []

    let keys: DestinationKeys
    private let source: Int
    private let basis: DraftBasis
    private let checks: SampleChecks
    private var model: ResolvedModel { keys.model }

    init(source: Int, keys: DestinationKeys, basis: DraftBasis = .sample) {
        self.source = source
        self.keys = keys
        self.basis = basis
        checks = SampleChecks()
    }

    /// The known properties of an object before it is drafted.
    struct Request {
        let entity: ResolvedEntity
        let part: SampledPart
        var id: String?
        var parent: String?
        var records: String?
        /// The relationship that leads back to the enclosing object.
        var inverse: String?
        /// Relationships determined by foreign keys.
        var relationships: [RelationshipMapping] = []
        /// Columns that are used otherwise.
        var usedColumns: Set<String> = []
        /// The columns of foreign keys, with their relationships.
        var keyColumns: [(relationship: String, columns: [String])] = []
        /// The columns that identify records: keys of a table.
        var uniqueColumns: [[String]] = []
        /// Whether a guessed key is used, because the objects can only be found by it.
        var needsKey = false
        var depth = 0
    }

    /// Adds an object with the nested ones; `covers` returns whether the draft fills the other side of a relationship.
    mutating func add(_ request: Request, covers: (ResolvedRelationship) -> Bool) {
        let index = objects.count
        let entity = request.entity
        var object = ObjectMapping(
            id: request.id, entity: entity.name, parent: request.parent, records: request.records)
        let matching = AttributeMatching(request.part, entity: keys.names.entities[entity.slot], basis: basis)
        var notes = ObjectNotes()
        var taken = Set<Int>()
        for match in matching.matches {
            if match.path == request.part.fields[match.field].step { taken.insert(match.field) }
            notes.mention(match.field)
            guard match.conversion.isUsable else {
                notes.unusable(match)
                continue
            }
            let checked = basis == .sample ? checks.check(match, of: entity) : nil
            object.attributes.append(
                AttributeMapping(
                    attribute: match.attribute.name, value: .column(match.path),
                    conversion: checked?.settings ?? match.conversion.settings))
            comment(
                MappingComment(beside: ObjectNotes.remark(on: match, checked?.remark)), on: match.attribute.name,
                of: index)
        }
        object.relationships = request.relationships
        objects.append(object)
        // Columns with the name of a relationship are matched by guessing, foreign keys are not.
        if basis == .sample { addRelationships(request, at: index, taken: taken, notes: &notes, covers: covers) }
        addKey(at: index, matching, request, &notes)
        addToLists(at: index, matching, request)
        notes.unfilled(
            matching.unfilled.filter { attribute in
                DestinationKeys.required(entity).contains { $0.name == attribute.name }
            })
        let related = Set(objects[index].relationships.map(\.relationship))
        let open = entity.relationships.filter { relationship in
            relationship.isStored && relationship.name != request.inverse && !covers(relationship)
                && !related.contains(relationship.name)
        }
        notes.unmatched(
            request.part.fields.enumerated().filter { !request.usedColumns.contains($0.element.name) },
            open: matching.unfilled.map(\.name) + open.map(\.name))
        if index == 0 {
            let fields = request.part.fields
            unmatched = notes.rest(of: fields).map { fields[$0].name }.filter { !request.usedColumns.contains($0) }
        }
        let place = MappingPlace(source: source, object: index)
        comments[place.key("attributes")] = MappingComment(after: notes.attributes)
        comments[place.key("relationships")] = MappingComment(after: notes.relationships)
        if !notes.object.isEmpty { comments[place.key("entity")] = MappingComment(before: notes.object) }
    }

    private mutating func comment(_ comment: MappingComment, on property: String, of object: Int) {
        comments[MappingPlace(source: source, object: object, property: property)] = comment
    }

    // MARK: Relationships

    private mutating func addRelationships(
        _ request: Request, at index: Int, taken: Set<Int>, notes: inout ObjectNotes,
        covers: (ResolvedRelationship) -> Bool
    ) {
        let matching = RelationshipMatching(request.part, keys: keys)
        var taken = taken
        for (place, field) in request.part.fields.enumerated() where request.usedColumns.contains(field.name) {
            taken.insert(place)
        }
        let open = request.entity.relationships.filter { relationship in
            relationship.isStored && relationship.name != request.inverse && !covers(relationship)
                && !objects[index].relationships.contains { $0.relationship == relationship.name }
        }
        var unnamed: [ResolvedRelationship] = []
        for relationship in open {
            switch matching.match(relationship, of: request.entity, taken: taken) {
            case .key(let target, let field, let remark):
                taken.insert(field)
                notes.mention(field)
                objects[index].relationships.append(
                    RelationshipMapping(relationship: relationship.name, target: .key(target)))
                if let remark { comment(MappingComment(beside: remark), on: relationship.name, of: index) }
            case .part(let path, let part, let field):
                notes.mention(field)
                taken.insert(field)
                addPart(path, part, relationship, request, at: index, notes: &notes, covers: covers)
            case .unusable(let field, let reason):
                notes.mention(field)
                taken.insert(field)
                notes.unusable(relationship.name, request.part.fields[field].path, reason)
            case nil: unnamed.append(relationship)
            }
        }
        // Matches by name go first, so that a part is not taken from the relationship with its name.
        for relationship in unnamed {
            if case .part(let path, let part, let field)? = matching.matchByContent(
                relationship, of: request.entity, taken: taken)
            {
                notes.mention(field)
                taken.insert(field)
                addPart(path, part, relationship, request, at: index, notes: &notes, covers: covers)
                let destination = model.entities[relationship.destination].name
                comment(
                    MappingComment(beside: "its parts have the names of \(destination)'s attributes"),
                    on: relationship.name, of: index)
            } else if !relationship.isOptional {
                notes.unfilled(relationship)
            }
        }
    }

    /// Relates a part of the record: by its key if it has nothing else, otherwise as an object.
    private mutating func addPart(
        _ path: String, _ part: SampledPart, _ relationship: ResolvedRelationship, _ request: Request, at index: Int,
        notes: inout ObjectNotes, covers: (ResolvedRelationship) -> Bool
    ) {
        let entity = heir(of: model.entities[relationship.destination], for: part)
        let matches = AttributeMatching(part, entity: keys.names.entities[entity.slot]).matches.filter(
            \.conversion.isUsable)
        guard !matches.isEmpty, !entity.isAbstract else {
            return notes.unusable(
                relationship.name, path,
                entity.isAbstract
                    ? "\(entity.name) is abstract" : "nothing in it has the name of an attribute of \(entity.name)")
        }
        let known = keys.attributes(of: entity).first
        let isReference = matches.count == 1 && part.fields.count <= 2 && matches[0].attribute.name == known?.name
        if isReference || request.depth >= part.limits.objectDepth {
            guard let match = matches.first(where: { $0.attribute.name == known?.name }) else {
                return notes.unusable(relationship.name, path, "it lies too deep in the record")
            }
            var target = RelationshipMapping.KeyTarget(
                attribute: match.attribute.name, value: .column(path + "." + match.path),
                conversion: match.conversion.settings)
            let others = DestinationKeys.required(entity).filter { $0.name != match.attribute.name }
            if others.isEmpty, !keys.hasSource(for: entity) { target.missing = .create }
            objects[index].relationships.append(
                RelationshipMapping(relationship: relationship.name, target: .key(target)))
            return
        }
        let id = "#\(objects.count)"
        objects[index].relationships.append(RelationshipMapping(relationship: relationship.name, target: .object(id)))
        let isPart = request.records != nil || request.parent != nil
        add(
            Request(
                entity: entity, part: part, id: id, parent: isPart ? request.id : nil, records: path,
                inverse: relationship.inverse?.name, depth: request.depth + 1), covers: covers)
    }

    /// Returns the concrete entity with the most attributes among the values of a part.
    private func heir(of entity: ResolvedEntity, for part: SampledPart) -> ResolvedEntity {
        let concrete = entity.subtree.map { model.entities[$0] }.filter { !$0.isAbstract }
        let candidates = AttributeCandidates(part)
        let counts = concrete.map { AttributeMatching.count(candidates, keys.names.entities[$0.slot]) }
        guard let most = counts.max(), let index = counts.firstIndex(of: most) else { return entity }
        return concrete[index]
    }

    /// Makes to-many relationships add to their lists if several records of a flat file belong to one object.
    private mutating func addToLists(at index: Int, _ matching: AttributeMatching, _ request: Request) {
        let key = objects[index].key
        guard !request.part.isNested, key.count == 1,
            matching.matches.contains(where: { $0.attribute.name == key[0] && $0.values.hasDuplicates })
        else { return }
        for (place, mapped) in objects[index].relationships.enumerated() {
            guard case .key(let target) = mapped.target, target.separator == nil,
                request.entity.relationship(named: mapped.relationship)?.isToMany ?? false
            else { continue }
            objects[index].relationships[place].adds = true
        }
    }

    // MARK: Keys

    /// Sets the key of an object if it is declared, or mentions a possible one in a comment.
    private mutating func addKey(
        at index: Int, _ matching: AttributeMatching, _ request: Request, _ notes: inout ObjectNotes
    ) {
        let declared = declaredKey(of: objects[index], request)
        objects[index].key = declared
        guard declared.isEmpty else { return }
        let isPart = request.records != nil
        let guess = basis == .sample ? guessedKey(of: objects[index], matching, request) : nil
        if index == 0 { guessedKey = guess.map { [$0] } ?? [] }
        guard let guess else { return notes.noKey(request.entity.name, isPart: isPart) }
        guard request.needsKey || DestinationKeys.isIdentifier(guess, of: request.entity) else {
            return notes.guessedKey(guess, request.entity.name, count: request.part.count)
        }
        objects[index].key = [guess]
        comments[MappingPlace(source: source, object: index, key: "key")] = MappingComment(
            beside: "a guess: no two of \(request.part.count) records seen have the same")
    }

    /// Returns the declared key: from hints and uniqueness constraints of the model, or keys of the table.
    private func declaredKey(of object: ObjectMapping, _ request: Request) -> [String] {
        let entity = request.entity
        let toOnes = object.relationships.filter { mapped in
            entity.relationship(named: mapped.relationship)?.isToMany == false
        }.map(\.relationship)
        let mapped = Set(object.attributes.map(\.attribute) + toOnes)
        func isMapped(_ key: [String]) -> Bool { !key.isEmpty && key.allSatisfy(mapped.contains) }

        let hinted = EntityHints(entity, in: model).key
        if isMapped(hinted) { return hinted }
        if let constraint = model.uniquenessConstraints(of: entity.slot).map(\.properties).first(where: isMapped) {
            return constraint
        }
        for columns in request.uniqueColumns {
            if let key = self.key(columns, of: object, request) { return key }
        }
        return []
    }

    /// Returns the attribute whose values in the sample look like a key.
    private func guessedKey(
        of object: ObjectMapping, _ matching: AttributeMatching, _ request: Request
    ) -> String? {
        let mapped = Set(object.attributes.map(\.attribute))
        for attribute in keys.attributes(of: request.entity) where mapped.contains(attribute.name) {
            // Names of parts are rarely unique.
            guard request.records == nil || DestinationKeys.isIdentifier(attribute.name, of: request.entity) else {
                continue
            }
            let match = matching.matches.first { $0.attribute.name == attribute.name }
            if let match, match.values.isUnique, match.values.count == request.part.count { return attribute.name }
        }
        return nil
    }

    /// Returns the key of a table in terms of the model: attributes, and relationships for whole foreign keys; nil if a
    /// column is neither.
    private func key(_ columns: [String], of object: ObjectMapping, _ request: Request) -> [String]? {
        var names: [String] = []
        var covered = Set<String>()
        for (relationship, own) in request.keyColumns where !own.isEmpty && own.allSatisfy(columns.contains) {
            // The other object must exist before this one, which is not certain for one of the same table.
            let destination = request.entity.relationship(named: relationship)?.destination
            guard destination.map({ !model.isKind(request.entity.slot, of: $0) }) ?? false else { continue }
            names.append(relationship)
            covered.formUnion(own)
        }
        for column in columns where !covered.contains(column) {
            guard let name = object.attributes.first(where: { $0.value == .column(column) })?.attribute else {
                return nil
            }
            names.append(name)
        }
        return names.isEmpty ? nil : names
    }
}
