import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreVerification
import Testing
import TestSupport

/// Rules of a model that no sample has: patterns, lengths, predicates, counts, destinations in a hierarchy.
@Suite struct ModelRuleTests {
    private static let model: ManagedObjectModel = {
        var code = AttributeDescription(name: "code", type: .string, isOptional: true)
        code.validation.regularExpression = "[A-Z]{2}[0-9]+"
        var short = AttributeDescription(name: "short", type: .string, isOptional: true)
        short.validation.minimum = .integer(2)
        short.validation.maximum = .integer(4)
        var even = AttributeDescription(name: "even", type: .integer16, isOptional: true)
        even.validation.otherPredicates = [
            ValidationPredicate(predicateFormat: "modulus:by:(SELF, 2) == 0", warning: "1550")
        ]
        var date = AttributeDescription(name: "born", type: .date, isOptional: true)
        date.validation.minimum = .date(0)
        date.validation.maximum = .date(1000)
        let flag = AttributeDescription(name: "flag", type: .boolean, isOptional: true)
        let person = EntityDescription(
            name: "Person", attributes: [code, short, even, date, flag],
            relationships: [
                RelationshipDescription(
                    name: "friends", destinationEntityName: "Person", inverseName: "friends", isToMany: true),
                RelationshipDescription(
                    name: "home", destinationEntityName: "House", inverseName: "people", isOptional: false),
                RelationshipDescription(name: "pet", destinationEntityName: "Dog", inverseName: "owner"),
                RelationshipDescription(
                    name: "animals", destinationEntityName: "Animal", inverseName: "keeper", isToMany: true,
                    isOptional: true, minimumCount: 2, maximumCount: 3),
            ])
        let house = EntityDescription(
            name: "House", attributes: [],
            relationships: [
                RelationshipDescription(
                    name: "people", destinationEntityName: "Person", inverseName: "home", isToMany: true,
                    isOptional: false, minimumCount: 1),
                RelationshipDescription(name: "guard", destinationEntityName: "Animal"),
            ])
        let animal = EntityDescription(
            name: "Animal", attributes: [],
            relationships: [
                RelationshipDescription(name: "keeper", destinationEntityName: "Person", inverseName: "animals")
            ])
        let dog = EntityDescription(
            name: "Dog", superentityName: "Animal", attributes: [],
            relationships: [
                RelationshipDescription(name: "owner", destinationEntityName: "Person", inverseName: "pet")
            ])
        let cat = EntityDescription(name: "Cat", superentityName: "Animal", attributes: [], relationships: [])
        return ManagedObjectModel(entities: [person, house, animal, dog, cat])
    }()

    // Animal 1, Cat 2, Dog 3, House 4, Person 5
    private static let content = """
        INSERT INTO ZHOUSE (Z_PK, Z_ENT, Z_OPT, ZGUARD, Z1_GUARD) VALUES (1, 4, 1, 2, 2), (2, 4, 1, NULL, NULL);
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZHOME, ZPET, ZCODE, ZSHORT, ZEVEN, ZBORN, ZFLAG)
            VALUES (1, 5, 1, 1, 1, 'AB12', '🐕🐕', 4, 1000, 1), (2, 5, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZKEEPER, ZOWNER)
            VALUES (1, 3, 1, 1, 1), (2, 2, 1, 1, NULL), (3, 1, 1, 1, NULL);
        INSERT INTO Z_5FRIENDS VALUES (1, 2), (2, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 10;
        """

    struct Fault: Sendable, CustomTestStringConvertible {
        let sql: String
        let counts: [String: Int64]
        var testDescription: String { sql }
    }

    @Test(arguments: [
        Fault(sql: "SELECT 1", counts: [:]),
        Fault(sql: "UPDATE ZPERSON SET ZCODE = 'ab12' WHERE Z_PK = 1", counts: ["pattern-mismatch": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZCODE = 'AB12 ' WHERE Z_PK = 1", counts: ["pattern-mismatch": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZSHORT = '🐕🐕🐕' WHERE Z_PK = 1", counts: ["text-too-long": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZSHORT = 'ü' WHERE Z_PK = 1", counts: ["text-too-short": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZEVEN = 3 WHERE Z_PK = 1", counts: ["predicate-failed": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZBORN = -1 WHERE Z_PK = 1", counts: ["below-minimum": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZBORN = 1000.5 WHERE Z_PK = 1", counts: ["above-maximum": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZFLAG = 2 WHERE Z_PK = 1", counts: ["value-out-of-range": 1]),
        Fault(sql: "UPDATE ZPERSON SET ZFLAG = 0.5 WHERE Z_PK = 1", counts: ["wrong-storage-class": 1]),
        Fault(sql: "DELETE FROM Z_5FRIENDS WHERE REFLEXIVE = 1", counts: ["one-sided-inverse": 1]),
        // A house without people has too few, as an import says it; what a to-one lacks is missing.
        Fault(sql: "UPDATE ZPERSON SET ZHOME = 1 WHERE Z_PK = 2", counts: ["too-few-related": 1]),
        Fault(
            sql: "UPDATE ZPERSON SET ZHOME = NULL WHERE Z_PK = 2",
            counts: ["missing-relationship": 1, "too-few-related": 1]),
        Fault(sql: "UPDATE ZANIMAL SET ZKEEPER = NULL WHERE Z_PK > 1", counts: ["too-few-related": 1]),
        Fault(
            sql: "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZKEEPER) VALUES (4, 1, 1, 1)",
            counts: ["too-many-related": 1]),
        Fault(sql: "UPDATE ZHOUSE SET Z1_GUARD = 3 WHERE Z_PK = 1", counts: ["entity-column-wrong": 1]),
        Fault(
            sql: "UPDATE ZPERSON SET ZPET = 2 WHERE Z_PK = 1",
            counts: ["wrong-destination": 1, "one-sided-inverse": 2]),
    ])
    func eachRuleOfTheModelIsChecked(fault: Fault) throws {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(Self.model)
        let path = directory.file("Store.sqlite")
        let store = NewStore(
            model: model,
            hashes: model.entities.reduce(into: [:]) { $0[$1.name] = [UInt8](repeating: 7, count: 32) },
            digest: "", checksum: "", uuid: "0B7E0C0E-5B3D-4E0F-9C52-3B1F2A7C9D10")
        let connection = try Connection(path: path, access: .create)
        try store.createTables(connection)
        for index in store.layout.indexes().indexes { try connection.execute(index.createStatement) }
        try connection.execute(Self.content)
        try connection.execute(fault.sql)
        try connection.close()
        let report = try StoreVerifier(SQLiteStore(path: path), model: model).verify()
        let counts = report.findings.reduce(into: [String: Int64]()) { $0[$1.code, default: 0] += $1.count }
        #expect(counts == fault.counts, "\(report)")
    }
}
