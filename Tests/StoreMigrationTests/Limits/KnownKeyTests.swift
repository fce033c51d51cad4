import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// Which sources become one object by a key depends neither on how many keys are known while they are read, nor on what
/// a filter reads of other objects.
@Suite struct KnownKeyTests {
    typealias Survivor = MappingIdentity.Survivor

    private struct Car {
        let name: String?
        /// The key of its maker, of which 1 is new and 2 is old; nil for none.
        let maker: Int?
    }

    private static func model(_ type: AttributeType) -> [EntityDescription] {
        [
            entity(
                "Car", [attribute("name"), attribute("seats", type)],
                [
                    relationship("maker", to: "Maker", inverse: "cars"),
                    relationship("trips", to: "Trip", inverse: "car", many: true),
                ]),
            entity("Maker", [attribute("kind")], [relationship("cars", to: "Car", inverse: "maker", many: true)]),
            entity("Trip", [], [relationship("car", to: "Car", inverse: "trips")]),
        ]
    }

    /// The number of a car's seats is its key, so that what is made of it says what it was made of; a trip has the key
    /// of its car.
    private static func store(_ cars: [Car]) throws -> TestStore {
        let rows = cars.enumerated().map { index, car in
            "(\(index + 1), 1, 1, \(car.name.map { "'\($0)'" } ?? "NULL"), \(index + 1), "
                + "\(car.maker.map { "\($0)" } ?? "NULL"))"
        }
        return try TestStore(
            from: model(.integer16), to: model(.integer32),
            rows: """
                INSERT INTO ZMAKER (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 2, 1, 'new'), (2, 2, 1, 'old'),
                (3, 2, 1, 'other');
                INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSEATS, ZMAKER) VALUES \(rows.joined(separator: ", "));
                INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT, ZCAR) SELECT Z_PK, 3, 1, Z_PK FROM ZCAR;
                """)
    }

    /// The cars of new makers, then those of old ones, which are the same objects where their names are.
    private static func mapping(_ survivors: [Survivor]) -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        return MappingModel(
            entityMappings: zip(["new", "old"], survivors).map { kind, survivor in
                EntityMapping(
                    name: kind, type: .transform, sourceEntityName: "Car", destinationEntityName: "Car",
                    attributeMappings: [generated("name"), generated("seats")],
                    relationshipMappings: [generated("maker")], sourceFilter: "maker.kind == \"\(kind)\"",
                    identity: MappingIdentity(attributes: ["name"], survivor: survivor))
            } + [
                EntityMapping(
                    name: "Makers", type: .transform, sourceEntityName: "Maker", destinationEntityName: "Maker",
                    attributeMappings: [generated("kind")]),
                EntityMapping(
                    name: "Trips", type: .transform, sourceEntityName: "Trip", destinationEntityName: "Trip",
                    relationshipMappings: [generated("car")]),
            ])
    }

    /// By car, the one that its object is made of; nil if it becomes none.
    private static func makers(of cars: [Car], _ survivors: [Survivor]) -> [Int?] {
        var result = [Int?](repeating: nil, count: cars.count)
        var known: [String: Int] = [:]
        for (maker, survivor) in zip([1, 2], survivors) {
            let members = cars.indices.filter { cars[$0].maker == maker }
            var chosen: [String: Int] = [:]
            for index in members {
                guard let name = cars[index].name, survivor == .last || chosen[name] == nil else { continue }
                chosen[name] = index
            }
            known.merge(chosen) { earlier, _ in earlier }
            for index in members { result[index] = cars[index].name.flatMap { known[$0] } ?? index }
        }
        return result
    }

    @Test(arguments: [Survivor.first, .last], [Survivor.first, .last])
    func unitedObjectsAreThoseOfTheirKeys(new: Survivor, old: Survivor) throws {
        var random = RandomNumbers(seed: 41)
        for (count, bytes) in [(0, 1 << 20), (1, 1 << 20), (3, 1 << 20), (1000, 0), (1000, 40), (1000, 1 << 20)] {
            let cars = (0..<120).map { _ in
                Car(
                    name: [nil, "", "a", "A", "ab", "a longer name", "b", "c"].randomElement(using: &random) ?? nil,
                    maker: [nil, 1, 1, 2, 2, 3].randomElement(using: &random) ?? nil)
            }
            let made = Self.makers(of: cars, [new, old])
            for writer in [NewStoreWriter.auto, .sqlite] {
                let store = try Self.store(cars)
                var options = MigrationOptions()
                options.writer = writer
                options.fixedLimits.knownKeys = count
                options.fixedLimits.knownKeyBytes = bytes
                try store.migrate(by: Self.mapping([new, old]), PolicyRegistry(), options: options)
                let wanted = Set(made.compactMap(\.self)).sorted().map { index in
                    "\(index + 1)|\(cars[index].name ?? "")|\(cars[index].maker ?? 0)"
                }
                let found = try store.rows("SELECT ZSEATS, ZNAME, ZMAKER FROM ZCAR ORDER BY 1")
                #expect(found == wanted, "\(count) keys of \(bytes) bytes, \(writer)")
                let trips = try store.rows(
                    "SELECT t.Z_PK, c.ZSEATS FROM ZTRIP t LEFT JOIN ZCAR c ON c.Z_PK = t.ZCAR ORDER BY 1")
                #expect(trips == made.enumerated().map { "\($0 + 1)|\($1.map { "\($0 + 1)" } ?? "")" })
            }
        }
    }
}
