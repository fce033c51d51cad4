import GeneratedStores
import ManagedObjectModels
import SQLiteAccess
import StoreEditing
import TestSupport
import Testing

/// What is stored of numbers that a Float, a decimal or an integer does not keep as they are given.
@Suite struct EditNumberTests {
    private func store() throws -> TemporaryStore {
        let model = ManagedObjectModel(entities: [
            entity(
                "Number",
                [
                    attribute("single", .float), attribute("double", .double), attribute("decimal", .decimal),
                    attribute("whole", .integer64),
                ], [])
        ])
        return try TemporaryStore(
            model,
            rows: "INSERT INTO ZNUMBER (Z_PK, Z_ENT, Z_OPT, ZDOUBLE, ZWHOLE) VALUES (1, 1, 1, 0.1, 16777217), "
                + "(2, 1, 1, 451.86, 3), (3, 1, 1, NULL, NULL);")
    }

    private func edit(_ store: TemporaryStore, _ attribute: String, _ expression: String) throws -> EditReport {
        try store.edit(.update("Number", where: "TRUEPREDICATE", set: [EditAssignment(attribute, expression)]))
    }

    /// Constants, other attributes, sums, and what only Swift can compute are rounded alike.
    @Test(arguments: [
        ("0.1", [Float(0.1), 0.1, 0.1]), ("double", [0.1, 451.86, nil]), ("whole", [16_777_216, 3, nil]),
        ("double + 0.2", [0.3, 452.06, nil]), ("CAST('0.1', 'NSNumber')", [0.1, 0.1, 0.1]), ("NULL", [nil, nil, nil]),
        ("3.4028235e38", [.greatestFiniteMagnitude, .greatestFiniteMagnitude, .greatestFiniteMagnitude]),
    ])
    func aFloatIsStoredInSinglePrecision(expression: String, values: [Float?]) throws {
        let store = try store()
        #expect(try edit(store, "single", expression).isValid)
        let stored = try store.rows("SELECT ZSINGLE FROM ZNUMBER ORDER BY Z_PK")
        #expect(stored == values.map { $0.map { SQLiteValue.real(Double($0)).literal } ?? "NULL" })
    }

    @Test func aNumberBeyondFloatIsAFault() throws {
        let store = try store()
        let before = try store.content()
        #expect(try edit(store, "single", "3.5e38").faults.map(\.code) == [1610])
        #expect(try edit(store, "single", "-double * 1e39").faults.map(\.code) == [1620])
        #expect(try store.content() == before)
    }

    @Test(arguments: [
        ("decimal", "1.2345678901234567890", "1.2345678901234567890"), ("decimal", "12345678901234567890", "has more"),
        ("decimal", "-0.12345678901234567890", "0.12345678901234567890"),
        ("decimal", "whole * 1.0000000000000000001", "1.0000000000000000001"),
        ("decimal", "CAST('1.2345678901234567890', 'NSDecimalNumber')", "1.234567890123456789 has"),
        ("whole", "9007199254740993.0", "9007199254740993.0"), ("whole", "1.0000000000000000001", "has more"),
    ])
    func digitsThatAreNotKeptAreRefused(attribute: String, expression: String, words: String) throws {
        let store = try store()
        let before = try store.content()
        let error = #expect(throws: EditError.self) { try edit(store, attribute, expression) }
        #expect(error?.reason.contains(words) == true)
        #expect(try store.content() == before)
    }

    /// Also 17 digits that a double has, 64-bit integers, and what is no number of the value.
    @Test(arguments: [
        ("decimal", "123456789.012345", "123456789.012345"), ("decimal", "0.12345678901234568", "0.12345678901234568"),
        ("decimal", "9223372036854775807", "9223372036854775807"), ("decimal", "1.50000000000000000000", "1.5"),
        ("decimal", "-9223372036854775808", "-9223372036854775808"), ("decimal", "1e20", "1e+20"),
        ("decimal", "1000000000000000000000", "1e+21"), ("whole", "9007199254740993", "9007199254740993"),
        ("double", "0.12345678901234567890", "0.12345678901234568"),
    ])
    func digitsThatAreKeptAreStored(attribute: String, expression: String, stored: String) throws {
        let store = try store()
        #expect(try edit(store, attribute, expression).isValid)
        let column = "Z\(attribute.uppercased())"
        let rows = try store.rows("SELECT \(column) = \(stored) FROM ZNUMBER WHERE Z_PK = 1")
        #expect(rows == ["1"])
    }
}
