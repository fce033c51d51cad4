import Foundation
import TestSupport
import Testing

/// The mapping models in `Mappings`, over the stores in `Samples`.
@Suite struct ExampleMappingModelTests {
    private let directory: TemporaryDirectory
    private let store: String

    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Ledger", in: directory)
    }

    /// Migrates with a mapping model of `Mappings/Ledger`, and gives the path of the new store.
    private func migrate(_ store: String, _ mapping: String, to version: String) throws -> String {
        let output = directory.file(mapping + ".sqlite")
        let result = try ToolProcess.ferry([
            "migrate", store, "--models", Samples.models("Ledger"), "--to", version, "--mapping",
            "\(Samples.path)/../Mappings/Ledger/\(mapping).yaml", "--output", output, "--progress", "none",
        ])
        #expect(result.status == 0, "\(result.summary)")
        try StoreRows.expectSound(output, "\(Samples.models("Ledger"))/\(version).xcdatamodel")
        return output
    }

    @Test func aTextBecomesANumber() throws {
        let new = try migrate(store, "numbers", to: "Ledger type change")
        #expect(
            try StoreRows.of(new, "SELECT ZNUMBER FROM ZACCOUNT ORDER BY Z_PK") == [
                ["0"], ["7"], ["7"], ["0"], ["1"], ["0"],
            ])
        #expect(try StoreRows.of(new, "SELECT typeof(ZNUMBER) FROM ZACCOUNT GROUP BY 1") == [["integer"]])
    }

    @Test func ofSeveralBookingsTheLastStays() throws {
        let new = try migrate(store, "newest-booking", to: "Ledger to-one")
        #expect(
            try StoreRows.of(new, "SELECT Z_PK, ZBOOKING FROM ZACCOUNT ORDER BY 1")
                == StoreRows.of(
                    store,
                    "SELECT a.Z_PK, max(b.Z_PK) FROM ZACCOUNT a LEFT JOIN ZBOOKING b ON b.ZACCOUNT = a.Z_PK GROUP BY 1")
        )
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZBOOKING") == [["6"]])
    }

    @Test func ofEqualOwnersTheFirstAccountSurvivesWithTheBookingsOfAll() throws {
        let new = try migrate(store, "one-account-each", to: "Ledger unique")
        #expect(
            try StoreRows.of(new, "SELECT ZOWNER, ZNUMBER FROM ZACCOUNT WHERE ZOWNER = 'Alan'") == [["Alan", "007"]])
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZACCOUNT WHERE ZOWNER IS NULL") == [["2"]])
        #expect(
            try StoreRows.of(
                new,
                "SELECT b.ZAMOUNT, a.ZOWNER FROM ZBOOKING b LEFT JOIN ZACCOUNT a ON a.Z_PK = b.ZACCOUNT ORDER BY b.Z_PK"
            )
                == StoreRows.of(
                    store,
                    "SELECT b.ZAMOUNT, a.ZOWNER FROM ZBOOKING b LEFT JOIN ZACCOUNT a ON a.Z_PK = b.ZACCOUNT ORDER BY b.Z_PK"
                ))
    }

    @Test(.long) func anEntityIsSplitAndJoinedAgain() throws {
        let new = try migrate(store, "parties", to: "Ledger parties")
        #expect(
            try StoreRows.of(new, "SELECT ZNAME FROM ZPARTY ORDER BY 1")
                == StoreRows.of(store, "SELECT DISTINCT ZOWNER FROM ZACCOUNT WHERE ZOWNER NOT NULL ORDER BY 1"))
        #expect(try StoreRows.of(new, "SELECT ZAMOUNT, ZACCOUNT FROM ZDEBIT") == [["3", "1"]])
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZCREDIT") == [["5"]])
        let back = try migrate(new, "parties-back", to: "Ledger")
        let accounts = "SELECT ZNUMBER, ZOWNER FROM ZACCOUNT ORDER BY Z_PK"
        #expect(try StoreRows.of(back, accounts) == StoreRows.of(store, accounts))
        let bookings = "SELECT ZAMOUNT, ZTEXT, ZACCOUNT FROM ZBOOKING ORDER BY ZAMOUNT, ZTEXT"
        #expect(try StoreRows.of(back, bookings) == StoreRows.of(store, bookings))
    }

    @Test func passesThatMakeTheSameObjectsAreRefusedWithBothPlaces() throws {
        let first = try directory.write(
            "mapping: 1\nentities:\n  - {source: Account, destination: Account}\n", to: "first.yaml")
        let second = try directory.write(
            "mapping: 1\nentities:\n  - {source: Booking, destination: Booking}\n  - {source: Account, destination: Account}\n",
            to: "second.yaml")
        let third = try directory.write(
            "mapping: 1\nentities:\n  - {source: Booking, destination: Booking}\n", to: "third.yaml")
        func run(_ mappings: [String]) throws -> ToolProcess.Result {
            try ToolProcess.ferry(
                ["migrate", store, "--models", Samples.models("Ledger"), "--to", "Ledger unique", "--dry-run"]
                    + mappings.flatMap { ["--mapping", $0] })
        }
        let refused = try run([first, second])
        #expect(refused.status == 2, "\(refused.summary)")
        #expect(
            refused.errors.contains("second.yaml:4") && refused.errors.contains("first.yaml:3"), "\(refused.summary)")
        let passes = try run([first, third])
        #expect(
            passes.output.contains("AccountToAccount") && passes.output.contains("BookingToBooking"),
            "\(passes.summary)")
    }
}
