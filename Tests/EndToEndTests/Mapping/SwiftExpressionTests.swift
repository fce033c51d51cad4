import TestSupport
import Testing

/// Mapping models whose filters and values only Swift can evaluate, over to-many relationships too.
@Suite final class SwiftExpressionTests: CompanyStoreSuite {
    private func migrate(
        _ mapping: String, _ options: [String] = []
    ) throws -> (run: ToolProcess.Result, output: String) {
        let file = try directory.write(mapping, to: "m.yaml")
        let output = directory.file("new.sqlite")
        let run = try ToolProcess.ferry(
            [
                "migrate", store, "--models", Samples.models("Company"), "--to", "Company 2", "--mapping", file,
                "--output",
                output,
                "--progress", "none",
            ] + options)
        return (run, output)
    }

    @Test(.long) func decimalsOverToManysAndMethodsOfValues() throws {
        func mapping(_ vacationDays: String, _ budget: String) -> String {
            #"""
            mapping: 1
            entities:
              - source: Employee
                destination: Employee
                filter: salary * 1.1 > 1000 AND FUNCTION(lastName, "hasPrefix:", "P") = NO
                attributes:
                  remarks: FUNCTION($source.directReports.lastName, "componentsJoinedByString:", ", ")
                  email: CAST($source.directReports.@sum.salary + 1, "NSString")
                  vacationDays: \#(vacationDays)
                  phone: mode:($source.directReports.lastName)[FIRST]
              - source: Department
                destination: Department
                attributes:
                  name: FUNCTION($source.name, "stringByReplacingOccurrencesOfString:withString:", "e", "3")
                  budget: \#(budget)
            """#
        }
        let days = "SUBQUERY($source.directReports, $r, $r.salary > 10).@count"
        let (run, _) = try migrate(
            mapping(days + #" + FUNCTION($source.directReports, "count")"#, "$source.employees.@avg.salary"))
        #expect(run.status == 2 && run.errors.contains("SQL returns no objects"), "\(run.summary)")
        // Texts of numbers do not match the model's pattern for addresses.
        let (again, new) = try migrate(
            mapping(days, "$source.employees.@sum.salary"), ["--invalid", "report"])
        #expect(again.status == 1, "\(again.summary)")
        #expect(again.output.contains("RowTransfer"))
        let kept =
            "FROM ZPERSON p WHERE ZSALARY > 910 AND typeof(ZSALARY) <> 'text' AND ZLASTNAME NOT GLOB 'P*' AND "
            + "Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee')"
        let reports = "FROM ZPERSON r WHERE r.ZMANAGER = p.Z_PK"
        let old = try StoreRows.of(
            store,
            "SELECT Z_PK, ifnull((SELECT group_concat(ZLASTNAME, ', ') \(reports)), ''), "
                + "(SELECT count(*) \(reports) AND r.ZSALARY > 10) \(kept) ORDER BY 1")
        #expect(old.count > 10 && old.contains { !$0[1].isEmpty })
        #expect(try StoreRows.of(new, "SELECT Z_PK, ZREMARKS, ZVACATIONDAYS FROM ZPERSON ORDER BY 1") == old)
        // 3296.4 and 1 are a decimal, not the nearest real.
        #expect(
            try StoreRows.of(new, "SELECT ZEMAIL FROM ZPERSON WHERE ZLASTNAME = 'Holm'") == [["3297.4"]])
        #expect(
            try StoreRows.of(new, "SELECT ZNAME FROM ZDEPARTMENT ORDER BY Z_PK")
                == StoreRows.of(store, "SELECT replace(ZNAME, 'e', '3') FROM ZDEPARTMENT ORDER BY Z_PK"))
        #expect(try StoreRows.of(new, "SELECT ZBUDGET FROM ZDEPARTMENT WHERE Z_PK = 4") == [["5000000"]])
        try StoreRows.expectSound(new, Samples.models("Company") + "/Company 2.xcdatamodel")
    }

    /// A value that the run meets is told as a dry run tells it, whoever computes it, and nothing is left of the run.
    @Test(arguments: [
        #"TERNARY($source.lastName == "Holm", VALUE, 7)"#,
        #"TERNARY(FUNCTION($source.lastName, "hasPrefix:", "Holm") == YES, VALUE, 7)"#,
    ])
    func whatTheRunFindsIsSaidAsADryRunSaysIt(expression: String) throws {
        func mapping(_ value: String) -> String {
            "mapping: 1\nentities:\n  - source: Employee\n    destination: Employee\n    attributes:\n"
                + "      vacationDays: '\(expression.replacing("VALUE", with: value))'\n"
        }
        func findings(_ text: String, _ code: String) -> [String] {
            text.split(separator: "\n").filter { $0.contains("[\(code);") }.map(String.init)
        }
        let told = findings(try migrate(mapping("40000"), ["--dry-run"]).run.output, "value-out-of-range")
        #expect(told.count == 1 && told.allSatisfy { $0.contains("Employee.vacationDays") })
        let before = try FolderState(of: directory.path)
        let (run, _) = try migrate(mapping("40000"))
        #expect(run.status == 2 && findings(run.errors, "value-out-of-range") == told, "\(run.summary)")
        let (json, _) = try migrate(mapping("40000"), ["--json"])
        #expect(json.status == 2 && json.output.contains("\"value-out-of-range\""), "\(json.summary)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
        let (cut, new) = try migrate(mapping("7.5"))
        #expect(cut.status == 1 && findings(cut.output, "number-narrowed").count == 1, "\(cut.summary)")
        let employees = "Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee')"
        #expect(
            try StoreRows.of(new, "SELECT DISTINCT ZVACATIONDAYS FROM ZPERSON WHERE \(employees)") == [["7"]])
    }

    /// The check of required values calls what the steps call, whatever the order of both.
    @Test func checksKnowTheFunctionsOfKeys() throws {
        let (run, new) = try migrate(
            #"""
            mapping: 1
            entities:
              - source: Employee
                destination: Skill
                key: name
                attributes:
                  name: FUNCTION($source.lastName, "substringToIndex:", 1)
              - source: Department
                destination: Department
                attributes:
                  name: FUNCTION($source.name, "stringByAppendingString:", "!")
            """#)
        #expect(run.status < 2, "\(run.summary)")
        #expect(
            try StoreRows.of(new, "SELECT ZNAME FROM ZSKILL ORDER BY 1")
                == StoreRows.of(
                    store,
                    "SELECT DISTINCT substr(ZLASTNAME, 1, 1) FROM ZPERSON WHERE Z_ENT = "
                        + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee') ORDER BY 1"))
        #expect(try StoreRows.of(new, "SELECT 1 FROM ZDEPARTMENT WHERE ZNAME NOT LIKE '%!'") == [])
    }

    /// Each row has its own random number.
    @Test func randomNumbersAreMadeForEachRow() throws {
        let (run, new) = try migrate(
            "mapping: 1\nentities:\n  - {source: Employee, destination: Employee, attributes: {rating: random(), vacationDays: 1}}\n"
        )
        #expect(run.status < 2, "\(run.summary)")
        let numbers = try StoreRows.of(new, "SELECT count(DISTINCT ZRATING), count(*) FROM ZPERSON")
        #expect(numbers[0][0] == numbers[0][1] && numbers[0][0] != "1")
    }

    @Test func whatAMappingSaysOfItselfIsAValue() throws {
        let (run, new) = try migrate(
            #"""
            mapping: 1
            entities:
              - name: Offices
                source: Department
                destination: Department
                userInfo: {prefix: "D "}
                attributes:
                  name:
                    value: $entityMapping.userInfo.prefix + $source.name + FUNCTION($propertyMapping,
                      "valueForKeyPath:", "userInfo.end") + $entityMapping.name + ":" + $source.entity.name
                    userInfo: {end: " / "}
            """#)
        #expect(run.status < 2, "\(run.summary)")
        #expect(
            try StoreRows.of(new, "SELECT ZNAME FROM ZDEPARTMENT ORDER BY Z_PK")
                == StoreRows.of(
                    store, "SELECT 'D ' || ZNAME || ' / Offices:Department' FROM ZDEPARTMENT ORDER BY Z_PK"))
    }

    @Test func everyRowGetsItsOwnNewUUID() throws {
        let (run, new) = try migrate(
            #"""
            mapping: 1
            entities:
              - source: Department
                destination: Department
                attributes:
                  name: FUNCTION(FUNCTION(CAST("NSUUID", "Class"), "UUID"), "UUIDString")
            """#)
        #expect(run.status < 2, "\(run.summary)")
        let names = try StoreRows.of(new, "SELECT count(DISTINCT ZNAME), count(*), min(length(ZNAME)) FROM ZDEPARTMENT")
        #expect(names[0][0] == names[0][1] && names[0][0] != "1" && names[0][2] == "36")
        #expect(try StoreRows.of(new, "SELECT 1 FROM ZDEPARTMENT WHERE ZNAME NOT GLOB '*-4???-[89AB]*'") == [])
    }

    @Test func whatNobodyKnowsIsNamed() throws {
        let (run, _) = try migrate(
            "mapping: 1\nentities:\n  - source: Department\n    destination: Department\n    attributes:\n"
                + "      name: FUNCTION($source.name, \"stringByFlying:\", 1)\n")
        #expect(run.status == 2)
        #expect(
            run.errors.contains("DepartmentToDepartment.name") && run.errors.contains("stringByFlying:"),
            "\(run.summary)")
    }
}
