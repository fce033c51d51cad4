import Foundation
import TestSupport
import Testing

/// `ferry diff` as people and scripts read it.
@Suite struct DiffTests {
    private struct Reading: Decodable {
        struct Entity: Decodable {
            struct Property: Decodable {
                let property: String
                let kind: String
                let name: String
                let formerName: String?
                let risk: String?
            }
            let kind: String
            let name: String
            let formerName: String?
            let changesVersionHash: Bool
            let properties: [Property]
        }
        let source: String
        let destination: String
        let entities: [Entity]
    }

    private static let company = ["--models", Samples.models("Company")]

    @Test func namesEveryChangeWithItsRisk() throws {
        let run = try ToolProcess.ferry(["diff", "--from", "Company", "--to", "Company 4"] + Self.company)
        #expect(run.status == 0)
        for line in [
            "Company -> Company 4", "+ entity Contractor", "> entity Division (was Department)",
            "- entity ParkingPlace",
            "destructive: the order of the destinations is dropped",
            "data-dependent: the migration fails if there are duplicates",
            "rename: versions of the app before this one look for notes",
        ] {
            #expect(run.output.contains(line), "\(line) is not in\n\(run.output)")
        }
        #expect(run.errors == "")
    }

    @Test func givesTheSameToScripts() throws {
        let run = try ToolProcess.ferry(["diff", "--from", "Company", "--to", "Company 4", "--json"] + Self.company)
        #expect(run.status == 0)
        let reading = try JSONDecoder().decode(Reading.self, from: Data(run.output.utf8))
        #expect(reading.source == "Company" && reading.destination == "Company 4")
        let division = try #require(reading.entities.first { $0.name == "Division" })
        #expect(division.kind == "renamed" && division.formerName == "Department" && division.changesVersionHash)
        let employee = try #require(reading.entities.first { $0.name == "Employee" })
        let remarks = try #require(employee.properties.first { $0.name == "remarks" && $0.kind == "renamed" })
        #expect(remarks.formerName == "notes" && remarks.risk == "rename")
        #expect(employee.properties.first { $0.name == "level" }?.risk == "destructive")
    }

    /// With --exit-code, as git's.
    @Test(arguments: [("Company", "Company", 0), ("Company", "Company 2", 1)])
    func saysByItsStatusWhetherThereIsADifference(from: String, to: String, status: Int) throws {
        let words = ["diff", "--from", from, "--to", to] + Self.company
        #expect(try ToolProcess.ferry(words).status == 0)
        #expect(try ToolProcess.ferry(words + ["--exit-code"]).status == Int32(status))
    }

    @Test func goesToTheCurrentVersionWhereNoneIsNamed() throws {
        let run = try ToolProcess.ferry(["diff", "--from", "Company 3"] + Self.company)
        #expect(run.output.hasPrefix("Company 3 -> Company 4"))
    }

    @Test(
        arguments: [
            (["--from", "Company 9"], 2, "known versions: Company, Company 2"),
            ([], 64, "--from"), (["--from", "Company", "--to", "Company 5"], 2, "Company 5"),
        ] as [([String], Int32, String)])
    func saysWhatIsMissing(words: [String], status: Int32, message: String) throws {
        let run = try ToolProcess.ferry(["diff"] + words + Self.company)
        #expect(run.status == status && run.errors.contains(message), "\(run.summary)")
        #expect(run.output == "")
    }
}
