import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Checks that concern several rows: equal values, equal order keys, numbers of destinations.
struct GroupChecks {
    let content: ContentChecks

    private var layout: StoreLayout { content.layout }
    private var model: ResolvedModel { content.model }
    private var verifier: StoreVerifier { content.verifier }

    init(_ content: ContentChecks) {
        self.content = content
    }

    func findings(of table: EntityTable) throws(SQLiteError) -> [VerificationFinding] {
        var result: [VerificationFinding] = []
        for slot in model.entities[table.root].subtree {
            let entity = model.entities[slot]
            if verifier.isAsked(.uniquenessViolated) {
                for properties in entity.description.uniquenessConstraints where !properties.isEmpty {
                    result += try duplicates(of: properties, in: entity, table)
                }
            }
            for relationship in entity.declaredRelationships where relationship.isStored {
                if verifier.isAsked(.orderKeys) { result += try places(of: relationship, table) }
                if relationship.isToMany { result += try counts(of: relationship, table) }
            }
        }
        return result
    }

    /// Checks a uniqueness constraint, unless it has a unique index, which SQLite's own check covers.
    private func duplicates(
        of properties: [String], in entity: ResolvedEntity, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        let columns = properties.compactMap { layout.storedColumn(ofProperty: $0, in: entity)?.name }
        guard columns.count == properties.count,
            !StoredIndex.all(of: table.name, content.connection).contains(where: { $0.serves(columns, unique: true) })
        else { return [] }
        let names = columns.map { SQLiteIdentifier.quoted($0) }
        let rows = ["Z_ENT IN (\(content.numbers(ofSubtree: entity.slot)))"] + names.map { "\($0) IS NOT NULL" }
        return try groups(
            .uniquenessViolated, subject: entity.name, detail: properties.joined(separator: ", "), table,
            "FROM \(SQLiteIdentifier.quoted(table.name)) WHERE \(rows.joined(separator: " AND ")) "
                + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1")
    }

    /// Checks for duplicate order keys, which are in the table of the elements.
    private func places(
        of relationship: ResolvedRelationship, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        guard relationship.isOrdered, let place = LinkPlace(relationship, layout: layout), place.kind == .foreignKey,
            let order = place.order, let elements = layout.table(ofEntity: relationship.destination),
            content.isPlain(elements)
        else { return [] }
        return try groups(
            .orderKeys, subject: "\(model.entities[relationship.owner].name).\(relationship.name)",
            detail: "given twice", elements,
            "FROM \(place.table) WHERE \(place.owner) IS NOT NULL AND \(order) IS NOT NULL "
                + "GROUP BY \(place.owner), \(order) HAVING count(*) > 1")
    }

    private func groups(
        _ rule: VerificationRule, subject: String, detail: String, _ table: EntityTable, _ from: String
    ) throws(SQLiteError) -> [VerificationFinding] {
        // Most stores have none, which can be determined with less sorting.
        guard try !content.connection.value("SELECT 1 FROM (SELECT 1 \(from)) LIMIT 1").isNull else { return [] }
        var tally = Tally(limit: content.limit)
        let statement = try content.connection.prepare("SELECT min(Z_PK), Z_ENT, count(*) \(from)")
        while try statement.step() {
            tally.add(statement.integer(2)) {
                content.uri(statement.integer(0), entity: statement.integer(1), in: table)
            }
        }
        return [tally.finding(rule, subject: subject, detail: detail)].compactMap { $0 }
    }

    /// Checks to-many relationships with limits on the number of destinations.
    private func counts(
        of relationship: ResolvedRelationship, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        guard let rule = CountRule(relationship), let place = LinkPlace(relationship, layout: layout) else { return [] }
        let subject = "\(model.entities[relationship.owner].name).\(relationship.name)"
        var tallies: [VerificationRule: (tally: Tally, detail: String?)] = [:]
        let statement = try content.connection.prepare(
            rule.brokenRows(
                place, of: SQLiteIdentifier.quoted(table.name), owners: content.numbers(ofSubtree: relationship.owner)))
        while try statement.step() {
            guard let fault = rule.fault(statement.integer(2)) else { continue }
            tallies[VerificationRule(fault), default: (Tally(limit: content.limit), rule.detail(of: fault))].tally.add {
                content.uri(statement.integer(0), entity: statement.integer(1), in: table)
            }
        }
        return tallies.sorted { $0.key.code < $1.key.code }.compactMap { broken, found in
            found.tally.finding(broken, subject: subject, detail: found.detail)
        }
    }
}
