import ManagedObjectModels
import PredicateExpressions
import StoreFetching
import Testing

/// Parts of a predicate that fail for some objects, behind others that leave these out: SQLite would look at parts in
/// an order of its own.
@Suite struct FailingConditionTests {
    /// Employee 2, in the department with code 10, has the lowest integer as its steps.
    @Test(arguments: [
        "department.code != 10 AND abs:(steps) > 1000",
        "department.code == 10 OR abs:(steps) > 1000",
        "department.code != 10 AND (level > 5 OR steps - 1 > 1000)",
        "NOT (department.code == 10 OR abs:(steps) > 1000)",
        "projects.@count == 0 AND department.employees.@count > 0 AND department.code != 10 AND steps - 1 > 1",
        // Parts that only Swift can evaluate.
        "level == 6 OR (department != NULL AND department.code == 999 AND CAST(notes, \"NSDecimalNumber\") > 0)",
        "department != NULL AND department.code == 999 AND CAST(notes, \"NSDecimalNumber\") > 0",
        "department.code != 10 AND abs:(steps) > 1000 AND mode:({level, level}).@count == 1",
        // What is the same for all objects.
        "department != NULL AND department.code == 998 AND 9223372036854775807 + 1 > 2",
        "SUBQUERY(directReports, $r, $r.department.code != 10 AND abs:($r.steps) > 1000).@count > 0",
    ])
    func whatIsLeftOutFailsNeitherInSQLNorInSwift(text: String) throws {
        let sample = try OpenedSample.company()
        var request = FetchRequest(entityName: "Employee", predicate: try FormatPredicate(format: text))
        request.resultType = .objectIDs
        let expected = try sample.lines(request, .inSwift)
        #expect(try sample.lines(request) == expected)
    }

    /// An index holds all that the predicate is about, and nothing that tells objects of other entities apart.
    @Test(arguments: [FetchEvaluation.automatic, .inSwift])
    func objectsOfOtherEntitiesAreNotLookedAt(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company(
            changedBy: "UPDATE ZPERSON SET ZLASTNAME = '(' WHERE Z_ENT = 5; DROP INDEX ZPERSON_Z_ENT_INDEX")
        let predicate = try FormatPredicate(format: "lastName > \"\" AND NOT firstName MATCHES lastName")
        var request = FetchRequest(entityName: "Employee", predicate: predicate)
        request.includesSubentities = false
        request.resultType = .dictionaries
        request.propertiesToFetch = [FetchedProperty(.keyPath("lastName"))]
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "lastName"), FetchSortDescriptor(keyPath: "firstName")]
        let expected = try sample.rows("SELECT count(*) FROM ZPERSON WHERE Z_ENT = 4 AND ZFIRSTNAME <> ZLASTNAME")
        #expect(["\(try sample.lines(request, evaluation).count)"] == expected)
    }

    @Test(arguments: [FetchEvaluation.automatic, .inSwift])
    func constantsThatFailDoNotWithoutObjects(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company(changedBy: "DELETE FROM ZPARKINGPLACE")
        let predicate = try FormatPredicate(format: "9223372036854775807 + 1 > 2 AND number > 0")
        let request = FetchRequest(entityName: "ParkingPlace", predicate: predicate)
        #expect(try sample.lines(request, evaluation) == [])
    }

    @Test(arguments: [FetchEvaluation.automatic, .inSwift])
    func whatIsNotLeftOutFails(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let predicate = try FormatPredicate(format: "department.code == 10 AND abs:(steps) > 1000")
        let request = FetchRequest(entityName: "Employee", predicate: predicate)
        #expect(throws: (any Error).self) { try sample.lines(request, evaluation) }
    }
}
