import PersistentStores
import RecordSources
import TestSupport
import Testing

@testable import StoreImport

/// Who has a value that only one object may have: the record that asks for it first, whatever the batches are and
/// whether the others make objects or change some.
@Suite struct UniqueValueOrderTests {
    private struct Record {
        let code: String
        let badge: Int
    }

    /// What the records come to, read one after the other: badges by code, and the numbers of the rejected records.
    private static func take(_ records: [Record], _ badges: inout [String: Int]) -> [Int] {
        var rejected: [Int] = []
        for (number, record) in records.enumerated() {
            if badges.contains(where: { $0.value == record.badge && $0.key != record.code }) {
                rejected.append(number + 1)
            } else {
                badges[record.code] = record.badge
            }
        }
        return rejected
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func theFirstRecordHasTheValue(size: Int) throws {
        let entity = DraftFixture.entity(
            "Person", "code", "badge:Integer 32",
            more: "<uniquenessConstraints><uniquenessConstraint><constraint value='code'/></uniquenessConstraint>"
                + "<uniquenessConstraint><constraint value='badge'/></uniquenessConstraint></uniquenessConstraints>")
        var rejections = 0
        for seed in RandomNumbers.seeds(12) {
            var random = RandomNumbers(seed: UInt64(seed))
            let fixture = try ImportFixture(entities: entity)
            var options = ImportOptions()
            options.limits.rows = size
            var badges: [String: Int] = [:]
            for round in 1...3 {
                let records = (0..<Int.random(in: 2...12, using: &random)).map { _ in
                    Record(
                        code: "p\(Int.random(in: 1...8, using: &random))", badge: Int.random(in: 1...8, using: &random))
                }
                let rejected = Self.take(records, &badges)
                rejections += rejected.count
                let text = "code,badge\n" + records.map { "\($0.code),\($0.badge)\n" }.joined()
                var found: [Int] = []
                options.onReject = { rejection, _ in found.append(rejection.line - 1) }
                try fixture.run(
                    text, as: "people-\(round).csv",
                    mapping: "entity: Person\nkey: code\nattributes: [code, badge]\n", options: options)
                let context = "seed \(seed), round \(round):\n\(text)"
                #expect(found == rejected, "\(context)")
                let rows = try fixture.rows("SELECT ZCODE, ZBADGE FROM ZPERSON ORDER BY 1")
                #expect(rows == badges.sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }, "\(context)")
            }
        }
        #expect(rejections > 0)
    }
}
