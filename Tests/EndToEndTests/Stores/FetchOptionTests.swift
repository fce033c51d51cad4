import TestSupport
import Testing

/// Options of `ferry fetch`: what it prints is what SQLite says of the same store.
@Suite final class FetchOptionTests: CompanyStoreSuite {
    private func fetch(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["fetch", store] + models + words)
    }

    private static let people = "FROM ZPERSON JOIN Z_PRIMARYKEY e USING (Z_ENT)"

    static let cases: [(words: [String], sql: String)] = [
        (
            [
                "--columns", "lastName", "--sort", "-vacationDays", "--sort", "lastName", "--limit", "3", "--offset",
                "2",
            ],
            "SELECT ZLASTNAME \(people) ORDER BY ZVACATIONDAYS DESC, ZLASTNAME LIMIT 3 OFFSET 2"
        ),
        (
            ["--columns", "level", "--where", "level != nil", "--distinct", "--sort", "level"],
            "SELECT DISTINCT ZLEVEL \(people) WHERE ZLEVEL NOT NULL ORDER BY 1"
        ),
        (
            ["--group", "level", "--count"] + ["--sum", "--min", "--max"].flatMap { [$0, "vacationDays"] },
            // As Core Data has it, the sum of no values is 0.
            "SELECT ZLEVEL, count(*), CAST(total(ZVACATIONDAYS) AS INTEGER), min(ZVACATIONDAYS), max(ZVACATIONDAYS) "
                + "\(people) GROUP BY 1"
        ),
        (
            ["--group", "level", "--average", "rating", "--having", "average(rating) > 2"],
            "SELECT ZLEVEL, avg(ZRATING) \(people) GROUP BY 1 HAVING avg(ZRATING) > 2"
        ),
        (
            [
                "--group", "level", "--average", "vacationDays", "--result-type", "average(vacationDays)=Integer 32",
            ],
            "SELECT ZLEVEL, CAST(avg(ZVACATIONDAYS) AS INTEGER) \(people) GROUP BY 1"
        ),
        (
            ["--columns", "vacationDays,level", "--result-type", "vacationDays=double"],
            "SELECT CAST(ZVACATIONDAYS AS REAL), ZLEVEL \(people) ORDER BY Z_PK"
        ),
        (
            ["--ids"],
            "SELECT 'x-coredata://' || Z_UUID || '/' || Z_NAME || '/p' || Z_PK \(people), Z_METADATA ORDER BY Z_PK"
        ),
        (
            ["--no-subentities", "--ids"],
            "SELECT 'x-coredata://' || Z_UUID || '/Employee/p' || Z_PK \(people), Z_METADATA "
                + "WHERE Z_NAME = 'Employee' ORDER BY Z_PK"
        ),
        (
            ["--columns", "lastName", "--prefetch", "parkingPlace", "--where", "parkingPlace != nil"],
            "SELECT ZLASTNAME, ZNUMBER FROM ZPERSON p JOIN ZPARKINGPLACE k ON k.Z_PK = p.ZPARKINGPLACE ORDER BY p.Z_PK"
        ),
        (
            ["--columns", "lastName", "--where", "lastName == $name", "--set", "name=Holm"],
            "SELECT ZLASTNAME FROM ZPERSON WHERE ZLASTNAME = 'Holm'"
        ),
        (
            ["--columns", "birthday", "--dates", "seconds2001", "--where", "birthday != nil"],
            "SELECT CAST(ZBIRTHDAY AS REAL) FROM ZPERSON WHERE ZBIRTHDAY NOT NULL"
        ),
        (
            ["--columns", "birthday", "--dates", "seconds1970", "--where", "birthday != nil"],
            "SELECT CAST(ZBIRTHDAY AS REAL) + 978307200 FROM ZPERSON WHERE ZBIRTHDAY NOT NULL"
        ),
    ]

    @Test(.long, arguments: cases.indices)
    func resultsAreThoseOfSQLite(_ index: Int) throws {
        let (words, sql) = Self.cases[index]
        let run = try fetch(["--entity", "Employee", "--format", "csv"] + words)
        #expect(run.status == 0, "\(run.summary)")
        let wanted = try StoreRows.of(store, sql).map { $0.joined(separator: ",") }
        let found = run.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        #expect(found == wanted && !wanted.isEmpty, "\(run.summary)")
    }

    @Test func aFetchRequestOfTheModelTakesItsVariables() throws {
        let words = ["--template", "EmployeesByLastName", "--columns", "lastName", "--format", "ndjson"]
        let run = try fetch(words + ["--set", "PREFIX=ho"])
        #expect(run.output.contains(#"{"lastName":"Holm"}"#) && !run.output.contains("Lovelace"), "\(run.summary)")
        let unset = try fetch(words)
        #expect(unset.status == 2 && unset.errors.contains("PREFIX"), "\(unset.summary)")
    }

    @Test func theStatementIsShownAndNotRun() throws {
        let run = try fetch(["--entity", "Employee", "--where", "lastName == 'Holm'", "--sql"])
        #expect(run.status == 0 && run.output.contains("SELECT") && run.output.contains("ZLASTNAME"), "\(run.summary)")
    }

    /// An object of JSON has a key once; rows of CSV may have a column twice.
    @Test(arguments: [("json", Int32(64)), ("ndjson", 64), ("csv", 0), ("text", 0)])
    func aColumnIsAKeyOnce(_ format: String, _ status: Int32) throws {
        let run = try fetch(["--entity", "Project", "--columns", "title, title", "--format", format])
        #expect(run.status == status, "\(run.summary)")
        #expect(run.errors.contains("--columns takes each column once") == (status == 64), "\(run.errors)")
    }
}
