import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension FetchCompiler {
    /// What is selected from: the entity's table, or those of its rows that the owner's relationship leads to.
    mutating func source() throws(FetchError) -> String {
        if let name = request.unwoundRelationship { return try unwound(name) }
        guard let owner = request.owner else { return "\(table) AS t" }
        guard let entity = model.entity(named: owner.entityName),
            let relationship = entity.relationship(named: owner.relationship)
        else { throw FetchError(.prefetchNoRelationship(owner.relationship)) }
        parameters.append(.null)
        let key = "?\(parameters.count)"
        // The objects come in the order of the relationship: the join keeps that of its left side.
        if let links = RelationshipLinks(relationship, in: layout) {
            return "(\(links.select("Z_PK", of: key))) AS l CROSS JOIN \(table) AS t ON t.Z_PK = l.Z_PK"
        }
        guard let column = layout.column(.toOne(relationship.key)),
            let home = layout.table(ofEntity: relationship.owner)
        else { throw FetchError(.tableMissing(entity: owner.entityName)) }
        return "(SELECT \(SQLiteIdentifier.quoted(column.name)) AS Z_PK FROM \(SQLiteIdentifier.quoted(home.name)) "
            + "WHERE Z_PK = \(key)) AS l CROSS JOIN \(table) AS t ON t.Z_PK = l.Z_PK"
    }
}
