import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension FetchCompiler {
    /// Returns the source of the rows: the entity's table, or its rows that the owner's relationship leads to.
    mutating func source() throws(FetchError) -> String {
        if let name = request.unwoundRelationship { return try unwound(name) }
        guard let owner = request.owner else { return "\(table) AS t" }
        guard let entity = model.entity(named: owner.entityName),
            let relationship = entity.relationship(named: owner.relationship)
        else { throw FetchError(.prefetchNoRelationship(owner.relationship)) }
        parameters.append(.null)
        let key = "?\(parameters.count)"
        if let links = RelationshipLinks(relationship, in: layout) {
            return "(\(links.positions(of: key))) AS l CROSS JOIN \(table) AS t ON t.Z_PK = l.related"
        }
        guard let column = layout.column(.toOne(relationship.key)),
            let home = layout.table(ofEntity: relationship.owner)
        else { throw FetchError(.tableMissing(entity: owner.entityName)) }
        return "(SELECT \(SQLiteIdentifier.quoted(column.name)) AS related, 1 AS position "
            + "FROM \(SQLiteIdentifier.quoted(home.name)) "
            + "WHERE Z_PK = \(key)) AS l CROSS JOIN \(table) AS t ON t.Z_PK = l.related"
    }
}
