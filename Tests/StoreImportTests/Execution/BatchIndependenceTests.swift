import PersistentStores
import RecordSources
import Testing

@testable import StoreImport

/// Records whose relationship leads to records of the same file: what becomes of them is the same in batches of each
/// size, and with both writers.
@Suite struct BatchIndependenceTests {
    /// A file, what a key that is there already means, what becomes of missing bosses, and the objects that result.
    struct Trial: Sendable, CustomTestStringConvertible {
        let onMatch: String
        let onMissing: String
        let rows: [String]
        let objects: [String]
        let rejected: Int64
        var testDescription: String { "\(onMatch), \(onMissing): " + rows.joined(separator: " / ") }
    }

    private static let trials = [
        // The first record makes its object, and those that it names; what is there then is skipped.
        Trial(
            onMatch: "skip", onMissing: "create", rows: ["b,5,c", "d,6,b"], objects: ["b|5|c", "c|NULL|NULL", "d|6|b"],
            rejected: 0),
        Trial(
            onMatch: "skip", onMissing: "create", rows: ["d,6,b", "b,5,c"],
            objects: ["b|NULL|NULL", "c|NULL|NULL", "d|6|b"],
            rejected: 0),
        Trial(
            onMatch: "error", onMissing: "create", rows: ["b,5,c", "d,6,b"],
            objects: ["b|5|c", "c|NULL|NULL", "d|6|b"],
            rejected: 0),
        // A rejected record changes nothing.
        Trial(
            onMatch: "update", onMissing: "error", rows: ["a,1,", "c,2,a", "c,3,zz"],
            objects: ["a|1|NULL", "c|2|a"], rejected: 1),
        Trial(onMatch: "update", onMissing: "error", rows: ["d,1,d", "d,2,zz"], objects: ["d|1|d"], rejected: 1),
        // The first value fills the place.
        Trial(
            onMatch: "fill", onMissing: "error", rows: ["c,,c", "e,,", "c,,e"], objects: ["c|NULL|c", "e|NULL|NULL"],
            rejected: 0),
    ]

    @Test(arguments: trials, [NewStoreWriter.auto, .sqlite])
    func theResultIsTheSameInBatchesOfEachSize(trial: Trial, writer: NewStoreWriter) throws {
        for size in [1, 2, 3, 1000] {
            let fixture = try ImportFixture(
                entities: DraftFixture.entity(
                    "Person", "name", "age:Integer 16",
                    more:
                        "<relationship name='boss' optional='YES' maxCount='1' destinationEntity='Person' "
                        + "inverseName='staff' inverseEntity='Person'/><relationship name='staff' optional='YES' "
                        + "toMany='YES' destinationEntity='Person' inverseName='boss' inverseEntity='Person'/>"))
            var options = ImportOptions()
            options.limits.rows = size
            options.writer = writer
            let report = try fixture.run(
                "name,age,boss\n" + trial.rows.map { $0 + "\n" }.joined(), as: "people.csv",
                mapping: "entity: Person\nkey: name\nonMatch: \(trial.onMatch)\nattributes: [name, age]\n"
                    + "relationships:\n  boss: {by: name, from: boss, onMissing: \(trial.onMissing)}\n",
                options: options)
            let objects = try fixture.rows(
                "SELECT p.ZNAME, p.ZAGE, b.ZNAME FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1")
            #expect(objects == trial.objects, "batches of \(size)")
            #expect(report.sources.first?.rejected == trial.rejected, "batches of \(size)")
        }
    }

    /// Records that name one object of a one-to-one relationship: the last one has it, and both sides say so.
    @Test(arguments: ["create", "skip"], [NewStoreWriter.auto, .sqlite])
    func theLastRecordThatNamesAnObjectHasIt(onMissing: String, writer: NewStoreWriter) throws {
        for size in [1, 2, 3, 1000] {
            let fixture = try ImportFixture(
                entities: DraftFixture.entity(
                    "Person", "name",
                    more:
                        "<relationship name='badge' optional='YES' maxCount='1' destinationEntity='Badge' "
                        + "inverseName='owner' inverseEntity='Badge'/>")
                    + DraftFixture.entity(
                        "Badge", "code",
                        more:
                            "<relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' "
                            + "inverseName='badge' inverseEntity='Person'/>"))
            var options = ImportOptions()
            options.limits.rows = size
            options.writer = writer
            if onMissing == "skip" {
                try fixture.run("code\nb1\n", as: "badges.csv", mapping: "entity: Badge\nattributes: [code]\n")
            }
            try fixture.run(
                "name,badge\na,b1\nc,b1\nd,b1\n", as: "people.csv",
                mapping: "entity: Person\nkey: name\nattributes: [name]\nrelationships:\n"
                    + "  badge: {by: code, from: badge, onMissing: \(onMissing)}\n", options: options)
            let badges = try fixture.rows(
                "SELECT p.ZNAME, b.ZCODE FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE ORDER BY 1")
            #expect(badges == ["a|NULL", "c|NULL", "d|b1"], "batches of \(size)")
            let owners = try fixture.rows(
                "SELECT b.ZCODE, p.ZNAME FROM ZBADGE b LEFT JOIN ZPERSON p ON p.Z_PK = b.ZOWNER")
            #expect(owners == ["b1|d"], "batches of \(size)")
            #expect(try fixture.faults() == [], "batches of \(size)")
        }
    }

    /// A record that loses an object to a later one of its batch has left the one that it had before.
    @Test(arguments: [1, 2, 3, 1000])
    func whatALoserHadBeforeIsFree(size: Int) throws {
        let fixture = try ImportFixture(
            entities: DraftFixture.entity(
                "Person", "name",
                more: "<relationship name='badge' optional='YES' maxCount='1' destinationEntity='Badge' "
                    + "inverseName='owner' inverseEntity='Badge'/>")
                + DraftFixture.entity(
                    "Badge", "code",
                    more: "<relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' "
                        + "inverseName='badge' inverseEntity='Person'/>"))
        var options = ImportOptions()
        options.limits.rows = size
        let mapping =
            "entity: Person\nkey: name\nattributes: [name]\nrelationships:\n"
            + "  badge: {by: code, from: badge, onMissing: create}\n"
        try fixture.run("name,badge\na,b0\nc,\n", as: "before.csv", mapping: mapping, options: options)
        try fixture.run("name,badge\na,b1\nc,b1\n", as: "people.csv", mapping: mapping, options: options)
        let badges = try fixture.rows(
            "SELECT p.ZNAME, b.ZCODE FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE ORDER BY 1")
        #expect(badges == ["a|NULL", "c|b1"])
        let owners = try fixture.rows(
            "SELECT b.ZCODE, p.ZNAME FROM ZBADGE b LEFT JOIN ZPERSON p ON p.Z_PK = b.ZOWNER ORDER BY 1")
        #expect(owners == ["b0|NULL", "b1|c"])
        #expect(try fixture.faults() == [])
    }
}
