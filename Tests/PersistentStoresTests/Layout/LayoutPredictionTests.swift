import GeneratedStores
import ManagedObjectModels
import Testing

@testable import PersistentStores

@Suite struct LayoutPredictionTests {
    private func layout(_ entities: [EntityDescription]) throws -> StoreLayout {
        LayoutPrediction.layout(of: try ResolvedModel(ManagedObjectModel(entities: entities)))
    }

    private func toMany(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
        RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse, isToMany: true)
    }

    private func entity(_ name: String, in parent: String? = nil, _ relationships: [RelationshipDescription] = [])
        -> EntityDescription
    {
        EntityDescription(name: name, superentityName: parent, attributes: [], relationships: relationships)
    }

    // MARK: Entity numbers

    @Test func siblingsAreNumberedWithoutRegardToCase() throws {
        let names = ["ComputeSyncAttributes", "ComputedAssetAttributes", "aZ", "Ab", "AB", "Zb", "a_b"]
        let roots = try layout(names.map { entity($0) }).model.entities
        #expect(
            roots.map(\.name) == ["a_b", "AB", "Ab", "aZ", "ComputedAssetAttributes", "ComputeSyncAttributes", "Zb"])
        let heirs = try layout([entity("Root")] + names.map { entity($0, in: "Root") }).model.entities
        #expect(heirs.dropFirst().map(\.name) == roots.map(\.name))
        #expect(heirs.map(\.number) == Array(1...8))
    }

    @Test func numbersInNamesFollow() throws {
        let layout = try layout([
            entity("Zoo"), entity("aviary", [toMany("zoos", "Bird", "aviaries")]),
            entity("Bird", [toMany("aviaries", "aviary", "zoos")]), entity("Owl", in: "Bird"),
            entity("Cage", [RelationshipDescription(name: "bird", destinationEntityName: "Bird")]),
        ])
        #expect(
            layout.joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_2AVIARIES ( Z_2ZOOS INTEGER, Z_1AVIARIES INTEGER, PRIMARY KEY (Z_2ZOOS, Z_1AVIARIES) )"
            ])
        #expect(layout.tables.last { $0.name == "ZCAGE" }?.columns.map(\.name).suffix(2) == ["ZBIRD", "Z2_BIRD"])
    }

    // MARK: Columns

    @Test func columnsAreInTheOrderOfTheirClasses() throws {
        func named(_ name: String, _ type: AttributeType) -> AttributeDescription {
            AttributeDescription(name: name, type: type, isOptional: true)
        }
        let thing = EntityDescription(
            name: "Thing",
            attributes: [
                named("a", .binaryData), named("b", .transformable), named("c", .uuid), named("d", .uri),
                named("e", .string), named("f", .decimal), named("g", .date), named("h", .double), named("i", .boolean),
                named("B2", .binaryData), named("C2", .uuid), named("g2", .float), named("j", .date),
            ], relationships: [RelationshipDescription(name: "k", destinationEntityName: "Thing")])
        #expect(
            try layout([thing]).tables[0].createStatement
                == "CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZI INTEGER, "
                + "ZK INTEGER, ZG TIMESTAMP, ZG2 FLOAT, ZH FLOAT, ZJ TIMESTAMP, ZF DECIMAL, ZE VARCHAR, ZD VARCHAR, "
                + "ZC2 BLOB, ZC BLOB, ZB BLOB, ZB2 BLOB, ZA BLOB )")
    }

    // MARK: Join tables

    @Test func aRelationshipThatIsItsOwnInverseHasAReflexiveColumn() throws {
        let layout = try layout([entity("Person", [toMany("friends", "Person", "friends")])])
        #expect(
            layout.joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )"
            ])
        #expect(
            layout.indexes().indexes.map(\.createStatement) == [
                "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)"
            ])
    }

    /// The place is that of the object whose key is in the column that it is named after.
    @Test func anOrderedRelationshipThatIsItsOwnInverseIsOrderedByTheColumnOfItsName() throws {
        var friends = toMany("friends", "Person", "friends")
        friends.isOrdered = true
        let layout = try layout([entity("Person", [friends])])
        #expect(
            layout.joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, Z_FOK_1FRIENDS INTEGER, "
                    + "PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )"
            ])
        #expect(
            layout.indexes().indexes.map(\.createStatement) == [
                "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)"
            ])
        let side = try #require(layout.joinTables.first.map { $0.side(of: $0.relationship) })
        #expect(side.owner == "REFLEXIVE" && side.destination == "Z_1FRIENDS" && side.order == "Z_FOK_1FRIENDS")
    }

    @Test func theTableOfAReflexivePairIsNamedAfterTheSecondName() throws {
        let layout = try layout([
            entity("Client", [toMany("trusted", "Client", "by"), toMany("by", "Client", "trusted")])
        ])
        #expect(
            layout.joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1TRUSTED ( Z_1BY INTEGER, Z_1TRUSTED INTEGER, PRIMARY KEY (Z_1BY, Z_1TRUSTED) )"
            ])
    }

    @Test func theSideThatBelongsToAHierarchyOwnsTheTable() throws {
        let kinds = [entity("Kind", [toMany("messages", "Message", "kinds")])]
        let message = entity("Message", [toMany("kinds", "Kind", "messages")])
        #expect(try layout(kinds + [message]).joinTables.map(\.name) == ["Z_1MESSAGES"])
        let heir = entity("TextMessage", in: "Message")
        #expect(try layout(kinds + [message, heir]).joinTables.map(\.name) == ["Z_2KINDS"])
        let other = entity("SubKind", in: "Kind")
        #expect(try layout(kinds + [message, heir, other]).joinTables.map(\.name) == ["Z_1MESSAGES"])
    }

    /// Reaction stands before SystemMessage by name, and behind it by number.
    @Test func clashingColumnsAreNumberedByNameOfTheEntityWhateverItsHierarchy() throws {
        let layout = try layout([
            entity("Message"), entity("SystemMessage", in: "Message", [toMany("users", "User", "systemMessages")]),
            entity("Reaction", [toMany("users", "User", "reactions")]),
            entity(
                "User", [toMany("systemMessages", "SystemMessage", "users"), toMany("reactions", "Reaction", "users")]),
        ])
        let columns = Dictionary(uniqueKeysWithValues: layout.joinTables.map { ($0.name, $0.columnNames) })
        #expect(
            columns == ["Z_2USERS": ["Z_2SYSTEMMESSAGES", "Z_4USERS1"], "Z_3USERS": ["Z_3REACTIONS", "Z_4USERS"]])
    }

    @Test func inheritedRelationshipsAreNumberedWhereAnHeirComesFirst() throws {
        let layout = try layout([
            entity("Zebra", [toMany("users", "User", "zebras")]), entity("Ant", in: "Zebra"),
            entity("Bee", [toMany("users", "User", "bees")]),
            entity("User", [toMany("zebras", "Zebra", "users"), toMany("bees", "Bee", "users")]),
        ])
        let columns = Dictionary(uniqueKeysWithValues: layout.joinTables.map { ($0.name, $0.columnNames) })
        #expect(columns == ["Z_1USERS": ["Z_1BEES", "Z_2USERS1"], "Z_3USERS": ["Z_3ZEBRAS", "Z_2USERS"]])
    }
}
