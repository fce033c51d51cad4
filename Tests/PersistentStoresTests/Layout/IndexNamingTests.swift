import ManagedObjectModels
import Testing

@testable import PersistentStores

@Suite struct IndexNamingTests {
    private func indexes(_ indexes: [FetchIndexDescription]) throws -> (statements: [String], unsupported: [String]) {
        var note = EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "kind", type: .integer16, isOptional: true),
                AttributeDescription(name: "text", type: .string, isOptional: true),
            ],
            relationships: [
                RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "notes")
            ])
        note.fetchIndexes = indexes
        var owner = EntityDescription(
            name: "Owner", attributes: [],
            relationships: [
                RelationshipDescription(
                    name: "notes", destinationEntityName: "Note", inverseName: "owner", isToMany: true)
            ])
        owner.fetchIndexes = [
            FetchIndexDescription(name: "byNotes", elements: [.init(propertyName: "notes")])
        ]
        let model = try ResolvedModel(ManagedObjectModel(entities: [note, owner]))
        let found = LayoutPrediction.layout(of: model).indexes()
        return (
            found.indexes.map(\.createStatement).filter { $0 != "CREATE INDEX ZNOTE_ZOWNER_INDEX ON ZNOTE (ZOWNER)" },
            found.unsupported.map(\.index)
        )
    }

    private func partial(_ predicate: String) -> FetchIndexDescription {
        FetchIndexDescription(
            name: "some", elements: [.init(propertyName: "text")], partialIndexPredicate: predicate)
    }

    @Test(arguments: [
        ("kind == 1", "ZKIND = 1"), ("kind != 0", "ZKIND <> 0"), ("kind > 1", "ZKIND > 1"),
        ("kind == YES", "ZKIND = 1"),
        ("kind == -1", "ZKIND = -1"), ("text == nil", "ZTEXT IS NULL"), ("text != NULL", "ZTEXT IS NOT NULL"),
        ("owner != nil", "ZOWNER IS NOT NULL"), ("kind == 1 AND text != nil", "(ZKIND = 1 AND ZTEXT IS NOT NULL)"),
        (
            "kind == 1 AND (kind == 2 OR text == nil)", "(ZKIND = 1 AND (ZKIND = 2 OR ZTEXT IS NULL))"
        ),
        ("kind == 2 OR kind == 4", "(ZKIND = 2 OR ZKIND = 4)"),
    ])
    func aPredicateBecomesAPartialIndex(_ sample: (predicate: String, sql: String)) throws {
        let found = try indexes([partial(sample.predicate)])
        #expect(
            found.statements == [
                "CREATE INDEX Z_Note_some ON ZNOTE (ZTEXT COLLATE BINARY ASC) WHERE \(sample.sql)"
            ])
        #expect(found.unsupported == [])
    }

    @Test(arguments: [
        "text == 'a'", "NOT kind == 1", "text CONTAINS 'a'", "1 == kind", "kind IN {1, 2}", "missing == 1",
    ])
    func aPredicateWithoutKnownFormIsLeftOut(_ predicate: String) throws {
        let found = try indexes([partial(predicate)])
        #expect(found.statements == [])
        #expect(found.unsupported == ["some"])
    }

    @Test func theObjectAndItsEntityAreColumnsOfTheRow() throws {
        let found = try indexes([
            FetchIndexDescription(
                name: "all",
                elements: [
                    .init(propertyName: nil, expression: "entity"), .init(propertyName: "kind", isAscending: false),
                    .init(propertyName: nil, expression: "SELF"),
                ])
        ])
        #expect(
            found.statements == [
                "CREATE INDEX Z_Note_all ON ZNOTE (Z_ENT COLLATE BINARY ASC, ZKIND COLLATE BINARY DESC, "
                    + "Z_PK COLLATE BINARY ASC)"
            ])
    }

    @Test func aSingleRelationshipMakesNoIndex() throws {
        let alone = FetchIndexDescription(name: "byOwner", elements: [.init(propertyName: "owner")])
        let withOther = FetchIndexDescription(
            name: "byBoth", elements: [.init(propertyName: "owner"), .init(propertyName: "kind")])
        let found = try indexes([alone, withOther])
        #expect(
            found.statements == [
                "CREATE INDEX Z_Note_byBoth ON ZNOTE (ZOWNER COLLATE BINARY ASC, ZKIND COLLATE BINARY ASC)"
            ])
        #expect(found.unsupported == [])
    }
}
