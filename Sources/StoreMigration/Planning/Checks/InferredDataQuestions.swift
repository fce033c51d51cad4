import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Questions about the source's rows that inference cannot answer: which data would break.
struct InferredDataQuestions {
    /// A connection to the store itself, whose indexes show which values are unique.
    let connection: Connection
    let builder: TransferBuilder

    private var destination: ResolvedModel { builder.destinationModel }

    /// Returns the questions for failures that depend on data; they are errors if there are such rows.
    func questions(for failures: [InferenceFailure]) -> [DataQuestion] {
        let constraints = constraintsNotYetEnforced().filter { new in
            !failures.contains { $0.code == new.code && $0.entity == new.entity }
        }
        return (failures.filter(\.isDataDependent) + constraints).compactMap { failure in
            let places = places(failure)
            return places.isEmpty ? nil : DataQuestion(places, finding(failure))
        }
    }

    private func finding(_ failure: InferenceFailure) -> MigrationFinding {
        if case .numberNarrowed(_, let type) = failure.code, isNarrowed(failure) {
            let fate =
                switch builder.narrowing {
                case .null: "they become NULL, or the attribute's default where it needs a value, as asked"
                default: "they become the nearest number that fits, as asked"
                }
            return MigrationFinding(
                .warning, failure.findingCode, subject: failure.subject,
                message: "some stored numbers do not fit \(type.name): \(fate)")
        }
        return MigrationFinding(
            .error, failure.findingCode, cocoaCode: failure.cocoaCode, subject: failure.subject,
            message: failure.sentence)
    }

    /// Returns whether numbers may be changed. A required attribute without default cannot become NULL.
    private func isNarrowed(_ failure: InferenceFailure) -> Bool {
        switch builder.narrowing {
        case .refuse: return false
        case .round: return true
        case .null:
            let attribute = failure.property.flatMap { destination.entity(named: failure.entity)?.attribute(named: $0) }
            return attribute.map { $0.isOptional || StoredValue.defaultValue(of: $0) != .null } ?? false
        }
    }

    private func places(_ failure: InferenceFailure) -> [DataQuestion.Place] {
        guard let slot = destination.slot(named: failure.entity) else { return [] }
        let entity = destination.entities[slot]
        if case .newUniquenessConstraint(let properties) = failure.code {
            return duplicates(of: properties, in: entity)
        }
        guard let sourceSlot = builder.correspondence.sourceSlot[slot], let rows = builder.rows(ofEntity: sourceSlot)
        else { return [] }
        let pair = EntityPair(source: sourceSlot, destination: slot)
        switch failure.code {
        case .newAttributeWithoutDefault, .becameAbstract:
            return [.rows(rows, where: "1")]
        case .numberNarrowed(let old, let new):
            guard let name = failure.property,
                let former = builder.correspondence.sourceAttribute(for: name, in: slot),
                let column = builder.source.column(.attribute(former.key))?.name,
                let conversion = NumberConversion(
                    from: old, to: new, column: "s.\(SQLiteIdentifier.bare(column))", builder.narrowing)
            else { return [] }
            return [.rows(rows, where: "NOT \(conversion.fits)")]
        case .requiredWithoutDefault:
            guard let name = failure.property,
                let old = builder.correspondence.sourceAttribute(for: name, in: slot),
                let column = builder.source.column(.attribute(old.key))?.name
            else { return [] }
            return [.rows(rows, where: "s.\(SQLiteIdentifier.bare(column)) IS NULL")]
        case .destinationNarrowed:
            return failure.property.flatMap(entity.relationship).map { lostLinks(of: $0, in: pair) } ?? []
        case .severalSources:
            return failure.property.flatMap(entity.relationship).map {
                objectsOfSeveralOwners(toOne: $0, in: pair)
            } ?? []
        case .sharedDestinations:
            return failure.property.flatMap(entity.relationship).map {
                objectsOfSeveralOwners(
                    builder.sourceCounterparts(of: $0.key), from: $0.owner, to: $0.destination)
            } ?? []
        default:
            return []
        }
    }

    // MARK: - Uniqueness

    /// Returns the rows that a uniqueness constraint would reject because of equal values.
    ///
    /// Core Data's index covers the whole table, whatever the entity. The comparison uses the values that the rows will
    /// have. NULL is not equal to anything.
    private func duplicates(of properties: [String], in entity: ResolvedEntity) -> [DataQuestion.Place] {
        guard let table = builder.destination.table(ofEntity: entity.slot) else { return [] }
        let transfer = builder.table(table)
        guard let source = transfer.source else { return [] }
        var values: [String] = []
        for property in properties {
            guard let column = builder.destination.storedColumn(ofProperty: property, in: entity),
                let expression = transfer.columns.first(where: { $0.column == column })?.expression
            else { return [] }
            // A new property without default is NULL in all rows, so no values are equal.
            if expression == .null { return [] }
            values.append(expression.sql)
        }
        let names = values.indices.map { "v\($0)" }
        let columns = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        let numbers = transfer.takenNumbers.map(String.init).joined(separator: ", ")
        let query =
            "SELECT min(k), e, count(*) FROM (SELECT s.Z_PK AS k, s.Z_ENT AS e, \(columns) "
            + "FROM \(builder.naming.name(source.name)) s WHERE s.Z_ENT IN (\(numbers))) "
            + "WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
            + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1"
        return [.groups(query, builder.source)]
    }

    /// Returns the constraints that hold among the objects of their entity, but are not enforced by an index of the
    /// source for all rows that the table will have: other entities may get the values, and old frameworks created no
    /// such index.
    private func constraintsNotYetEnforced() -> [InferenceFailure] {
        var result: [InferenceFailure] = []
        for entity in destination.entities {
            for properties in entity.description.uniquenessConstraints where !properties.isEmpty {
                guard let transfer = builder.destination.table(ofEntity: entity.slot).map(builder.table),
                    let source = transfer.source
                else { continue }
                let columns = properties.map { property -> String? in
                    let wanted = builder.destination.storedColumn(ofProperty: property, in: entity)
                    guard case .column(let name)? = transfer.columns.first(where: { $0.column == wanted })?.uniform
                    else { return nil }
                    return name
                }
                if columns.contains(nil) || !isUnique(Set(columns.compactMap { $0 }), in: source.name) {
                    result.append(
                        InferenceFailure(.newUniquenessConstraint(properties: properties), entity: entity.name))
                }
            }
        }
        return result
    }

    /// Returns whether an index, including one of CREATE TABLE, makes the values of some columns unique.
    private func isUnique(_ columns: Set<String>, in table: String) -> Bool {
        let quoted = SQLiteIdentifier.quoted(table)
        let indexes = (try? connection.rows("PRAGMA index_list(\(quoted))")) ?? []
        // The number is followed by name, unique, origin, partial.
        let unique = indexes.filter { $0[2].integer == 1 && $0[4].integer == 0 }.compactMap { $0[1].string }
        return unique.contains { name in
            let members = (try? connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))")) ?? []
            return Set(members.compactMap { $0[2].string }) == columns
        }
    }

    // MARK: - Links

    /// Returns the links to objects that are kept but are no longer destinations.
    private func lostLinks(of relationship: ResolvedRelationship, in pair: EntityPair) -> [DataQuestion.Place] {
        let own = builder.correspondence.sourceRelationship(for: relationship.name, in: pair.destination)
        if let own {
            let targets = TargetFilter(builder, ofAll: own.destination, for: relationship.destination)
            return links(own, owners: [pair.source], destinations: targets.narrowed, of: pair) { $0.owner }
        }
        // A new relationship takes its links from its inverse; objects that no longer have the inverse lose them.
        let counterparts = relationship.inverse.map { builder.sourceCounterparts(of: $0.key) } ?? []
        return counterparts.flatMap { counterpart in
            let lost = counterpart.owners.filter { slot in
                builder.correspondence.destinationSlot[slot].map {
                    !destination.isKind($0, of: relationship.destination)
                } ?? false
            }
            let number = builder.source.entityNumbers[pair.source]
            return links(counterpart.relationship, owners: lost, destinations: [number], of: pair) { $0.destination }
        }
    }

    /// Returns the links of a relationship between objects of some entities.
    ///
    /// - Parameters:
    ///   - owners: the slots of the owners in the source.
    ///   - destinations: the entity numbers of the destinations in the source.
    ///   - key: returns the end of the links that is an object of the pair.
    private func links(
        _ relationship: ResolvedRelationship, owners: [Int], destinations: [Int], of pair: EntityPair,
        key: (SourceLinks) -> String
    ) -> [DataQuestion.Place] {
        guard !owners.isEmpty, !destinations.isEmpty, var links = builder.links(relationship),
            let ownerTable = builder.source.table(ofEntity: relationship.owner),
            let table = builder.source.table(ofEntity: relationship.destination)
        else { return [] }
        let numbers = owners.map { builder.source.entityNumbers[$0] }
        links.conditions += [
            builder.existence(of: links.owner, in: ownerTable, numbers: numbers),
            builder.existence(of: links.destination, in: table, numbers: destinations),
        ]
        let rows = SourceRows(
            query: links.fromWhere, key: key(links), entity: builder.sourceModel.entities[pair.source].name)
        return [.rows(rows, where: "1")]
    }

    /// Returns the objects to which several others lead, if these links fill a new to-one relationship.
    private func objectsOfSeveralOwners(
        toOne relationship: ResolvedRelationship, in pair: EntityPair
    ) -> [DataQuestion.Place] {
        guard let inverse = relationship.inverse else { return [] }
        let counterparts = builder.sourceCounterparts(of: inverse.key).filter {
            builder.sourceModel.isKind(pair.source, of: $0.relationship.destination)
        }
        return objectsOfSeveralOwners(
            counterparts, from: relationship.destination, to: pair.destination, only: pair.source)
    }

    /// Returns the objects to which several others lead by relationships whose links are copied.
    ///
    /// - Parameters:
    ///   - owner: the slot of the destination entity whose objects may lead to others.
    ///   - destination: the slot of the destination entity to whose objects they may lead.
    ///   - source: the slot of the only source entity whose objects are counted; nil for all.
    private func objectsOfSeveralOwners(
        _ counterparts: [TransferBuilder.Counterpart], from owner: Int, to destination: Int, only source: Int? = nil
    ) -> [DataQuestion.Place] {
        guard let first = counterparts.first,
            let table = builder.source.table(ofEntity: source ?? first.relationship.destination)
        else { return [] }
        let selections = counterparts.compactMap { counterpart -> String? in
            guard var links = builder.keptLinks(counterpart, from: owner, to: destination) else { return nil }
            if let number = source.map({ builder.source.entityNumbers[$0] }) {
                links.conditions.append(builder.existence(of: links.destination, in: table, numbers: [number]))
            }
            return "SELECT \(links.destination) AS k, \(links.owner) AS o \(links.fromWhere)"
        }
        guard !selections.isEmpty else { return [] }
        let number = "(SELECT t.Z_ENT FROM \(builder.naming.name(table.name)) t WHERE t.Z_PK = k)"
        let query =
            "SELECT k, \(number), 1 FROM (\(UnionAll.sql(selections, columns: "k, o"))) "
            + "GROUP BY k HAVING count(DISTINCT o) > 1"
        return [.groups(query, builder.source)]
    }
}

extension TransferBuilder {
    /// Returns the source's rows that are objects of an entity, without its subentities.
    ///
    /// - Parameter slot: the slot of the entity in the source.
    func rows(ofEntity slot: Int) -> SourceRows? {
        source.table(ofEntity: slot).map { table in
            SourceRows(
                query: "FROM \(naming.name(table.name)) s WHERE s.Z_ENT = \(source.entityNumbers[slot])",
                entity: sourceModel.entities[slot].name)
        }
    }
}
