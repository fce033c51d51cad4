import GeneratedStores
import ManagedObjectModels
import MappingModels
import StoreMigration
import Testing

/// Objects that several source objects become by a key, or of which several mappings make several, and their links.
@Suite struct UnitedObjectTests {
    private static func model(_ type: AttributeType = .integer16) -> [EntityDescription] {
        [
            entity(
                "Car", [attribute("name"), attribute("seats", type)],
                [relationship("owner", to: "Owner", inverse: "car")]),
            entity("Owner", [], [relationship("car", to: "Car", inverse: "owner")]),
        ]
    }

    /// Five cars, two of which have one name and two of which have none; four of them have an owner.
    private static func store(_ more: String = "") throws -> TestStore {
        try TestStore(
            from: model(), to: model(.integer32),
            rows: """
                INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSEATS, ZOWNER) VALUES
                (1, 1, 1, 'a', 1, 1), (2, 1, 1, 'a', 2, 2), (3, 1, 1, NULL, 3, 3), (4, 1, 1, NULL, 4, NULL),
                (5, 1, 1, 'b', 5, 4);
                INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZCAR) VALUES
                (1, 2, 1, 1), (2, 2, 1, 2), (3, 2, 1, 3), (4, 2, 1, 5);
                \(more)
                """)
    }

    private static func cars(
        _ name: String = "Cars", filter: String? = nil, key: MappingIdentity? = nil, seats: String = "$source.seats"
    ) -> EntityMapping {
        EntityMapping(
            name: name, type: .transform, sourceEntityName: "Car", destinationEntityName: "Car",
            attributeMappings: [
                PropertyMapping(name: "name", isExpressionGenerated: true),
                PropertyMapping(name: "seats", valueExpression: seats),
            ],
            relationshipMappings: [PropertyMapping(name: "owner", isExpressionGenerated: true)], sourceFilter: filter,
            identity: key)
    }

    private static func owners(names car: Bool = true) -> EntityMapping {
        EntityMapping(
            name: "Owners", type: .transform, sourceEntityName: "Owner", destinationEntityName: "Owner",
            relationshipMappings: [
                car ? PropertyMapping(name: "car", isExpressionGenerated: true) : PropertyMapping(name: "car")
            ])
    }

    private static func mapping(_ cars: EntityMapping..., namesCar: Bool = true) -> MappingModel {
        MappingModel(entityMappings: cars + [owners(names: namesCar)])
    }

    private static let key = MappingIdentity(attributes: ["name"])

    /// The findings that refuse a migration when it has run.
    private func refusal(_ store: TestStore, _ mapping: MappingModel, _ invalid: InvalidObjectPolicy) throws -> [String]
    {
        let before = try databaseContent(store.path)
        do {
            try store.migrate(by: mapping, invalid)
            return []
        } catch let error as MigrationError {
            #expect(try databaseContent(store.path) == before)
            switch error.code {
            case .invalid(let findings), .refused(let findings):
                return findings.filter { $0.severity == .error }.map {
                    "\($0.code) \($0.subject ?? "") \($0.count ?? 0) \($0.examples.map { $0.suffix(2) })"
                }
            default: throw error
            }
        }
    }

    private let cars = "SELECT Z_PK, ZNAME, ZSEATS, ZOWNER FROM ZCAR ORDER BY 1"
    private let owners = "SELECT Z_PK, ZCAR FROM ZOWNER ORDER BY 1"

    // MARK: - One-to-one relationships

    /// Both owners lead to the one car that two have become, and it leads to one of them.
    @Test(arguments: [InvalidObjectPolicy.refuse, .report])
    func aUnitedObjectHasOneDestinationOfAOneToOneRelationship(invalid: InvalidObjectPolicy) throws {
        let store = try Self.store()
        let found = try refusal(store, Self.mapping(Self.cars(key: Self.key)), invalid)
        #expect(found == [#"several-sources Owner.car 1 ["p2"]"#])
        // One side alone says which of them stays.
        try store.migrate(by: Self.mapping(Self.cars(key: Self.key), namesCar: false), invalid)
        #expect(try store.rows(cars) == ["1|a|1|1", "3||3|3", "4||4|", "5|b|5|4"])
        #expect(try store.rows(owners) == ["1|1", "2|", "3|3", "4|5"])
    }

    @Test func aDryRunSaysThatItDoesNotUniteObjects() throws {
        let plan = try Self.store().plan(by: Self.mapping(Self.cars(key: Self.key)), .refuse, isThorough: true)
        #expect(
            plan.findings.filter { $0.code == "data-not-checked" }.compactMap(\.subject).sorted()
                == ["Car.owner", "Owner.car"])
        #expect(!plan.isRefused)
    }

    /// Both cars that are made of one lead to its owner. That is known before anything is written.
    @Test func twoObjectsOfOneDoNotShareADestination() throws {
        let store = try Self.store()
        let twice = Self.mapping(Self.cars("New"), Self.cars("Old", seats: "$source.seats + 10"))
        let plan = try store.plan(by: twice, .refuse)
        #expect(
            plan.findings.filter { $0.code == "several-sources" }.map { "\($0.subject ?? "") \($0.count ?? 0)" } == [
                "Car.owner 8"
            ])
        #expect(plan.isRefused)
        // Filters that have no object in common do not.
        let parts = Self.mapping(Self.cars("New", filter: "seats > 3"), Self.cars("Old", filter: "seats <= 3"))
        try store.migrate(by: parts, .refuse)
        #expect(try store.rows("SELECT count(*), count(ZOWNER) FROM ZCAR") == ["5|4"])
    }

    /// The source has it so: the owners 1 and 2 lead to one car.
    @Test func aLinkThatIsOneSidedInTheSourceStaysSo() throws {
        let store = try Self.store(
            "UPDATE ZOWNER SET ZCAR = 1 WHERE Z_PK = 2; UPDATE ZCAR SET ZOWNER = NULL WHERE Z_PK = 2;")
        try store.migrate(by: Self.mapping(Self.cars(seats: "$source.seats + 10")), .refuse)
        #expect(try store.rows(owners) == ["1|1", "2|1", "3|3", "4|5"])
        #expect(try store.rows(cars) == ["1|a|11|1", "2|a|12|", "3||13|3", "4||14|", "5|b|15|4"])
    }

    // MARK: - Keys that are NULL

    /// NULL equals nothing: whatever survives, such objects stand for themselves.
    @Test(arguments: [MappingIdentity.Survivor.first, .last, .fail])
    func objectsWithoutAKeyStayObjectsOfTheirOwn(survivor: MappingIdentity.Survivor) throws {
        // The cars of one name are alike.
        let store = try Self.store("UPDATE ZCAR SET ZSEATS = 1 WHERE Z_PK = 2;")
        try store.migrate(
            by: Self.mapping(
                Self.cars(key: MappingIdentity(attributes: ["name"], survivor: survivor)), namesCar: false), .refuse)
        let united = survivor == .last ? "2|a|1|2" : "1|a|1|1"
        #expect(try store.rows(cars) == [united, "3||3|3", "4||4|", "5|b|5|4"])
        #expect(try store.rows(owners).suffix(2) == ["3|3", "4|5"])
    }

    /// A key of several attributes is NULL where all of them are.
    @Test func aKeyThatIsNullInPartUnites() throws {
        let store = try Self.store(
            """
            UPDATE ZCAR SET ZSEATS = 3 WHERE Z_PK IN (1, 2); UPDATE ZCAR SET ZSEATS = NULL WHERE Z_PK = 4;
            INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSEATS) VALUES (6, 1, 1, NULL, 3), (7, 1, 1, NULL, NULL);
            """)
        try store.migrate(
            by: Self.mapping(Self.cars(key: MappingIdentity(attributes: ["name", "seats"])), namesCar: false), .refuse)
        #expect(try store.rows(cars) == ["1|a|3|1", "3||3|3", "4|||", "5|b|5|4", "7|||"])
    }

    /// Two mappings find or make objects by one key.
    @Test func objectsWithoutAKeyAreNotThoseOfAnotherMapping() throws {
        let store = try Self.store("UPDATE ZCAR SET ZOWNER = NULL; UPDATE ZOWNER SET ZCAR = NULL;")
        let twice = Self.mapping(Self.cars("New", key: Self.key), Self.cars("Old", key: Self.key), namesCar: false)
        try store.migrate(by: twice, .refuse)
        #expect(
            try store.rows("SELECT ZNAME, ZSEATS FROM ZCAR ORDER BY 1, 2") == ["|3", "|3", "|4", "|4", "a|1", "b|5"])
    }

    // MARK: - Persistent history

    /// Changes of objects that others stand for are changes of these.
    @Test func historyFollowsUnitedObjects() throws {
        let store = try Self.store(
            """
            CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT );
            CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 6), (16002, 'TRANSACTION', 0, 1), \
            (16003, 'TRANSACTIONSTRING', 0, 0);
            INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1.5);
            INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL), (2, 16001, NULL, 0, 1, 2, 1, NULL),
            (3, 16001, NULL, 1, 1, 3, 1, NULL), (4, 16001, NULL, 2, 1, 9, 1, NULL), (5, 16001, NULL, 1, 2, 2, 1, NULL),
            (6, 16001, NULL, 1, 1, 5, 1, NULL);
            """)
        let report = try store.migrate(
            by: Self.mapping(Self.cars(filter: "seats != 5", key: Self.key), namesCar: false), .refuse)
        // The deleted object 9 keeps its key; the car with the key 5 is left out.
        #expect(
            try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE") == [
                "1|1|1", "2|1|1", "3|1|3", "4|1|9", "5|2|2",
            ])
        #expect(report.findings.first { $0.code == "history-changes-removed" }?.count == 1)
    }
}
