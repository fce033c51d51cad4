import Foundation
import TestSupport
import Testing

/// `ferry infer`: the mapping, or what stands against it and what would help.
@Suite struct InferTests {
    private struct Reading: Decodable {
        struct Entity: Decodable {
            let name: String
            let type: String
            let source: String?
            let destination: String?
            let dropped: [String]
        }
        struct Failure: Decodable {
            let code: String
            let cocoaCode: Int
            let isDataDependent: Bool
            let entity: String
            let property: String?
            let problem: String
            let remedy: String
        }
        let verdict: String
        let entityMappings: [Entity]
        let failures: [Failure]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let version: String
        let status: Int32
        let verdict: String
        let entity: String
        let property: String?
        let number: Int
        /// A word of what would fix it.
        let remedy: String
        var testDescription: String { version }
    }

    static let cases = [
        Case(
            version: "Ledger type change", status: 2, verdict: "refused", entity: "Account", property: "number",
            number: 134190, remedy: "type"),
        Case(
            version: "Ledger to-one", status: 2, verdict: "refused", entity: "Account", property: "booking",
            number: 134190, remedy: "to-many"),
        Case(
            version: "Ledger required", status: 1, verdict: "data-dependent", entity: "Booking", property: "text",
            number: 134110, remedy: "default"),
        Case(
            version: "Ledger unique", status: 1, verdict: "data-dependent", entity: "Account", property: "owner",
            number: 134111, remedy: "duplicates"),
    ]

    private static let ledger = ["--models", Samples.models("Ledger"), "--from", "Ledger"]

    @Test(arguments: cases)
    func namesWhatStandsAgainstItAndWhatWouldHelp(_ refusal: Case) throws {
        let words = ["infer", "--to", refusal.version] + Self.ledger
        let run = try ToolProcess.ferry(words)
        #expect(run.status == refusal.status, "\(run.summary)")
        let subject = refusal.entity + (refusal.property.map { "." + $0 } ?? "")
        for word in [subject, String(refusal.number), refusal.remedy] {
            #expect(run.output.contains(word), "\(word) is not in\n\(run.output)")
        }
        let json = try ToolProcess.ferry(words + ["--json"])
        #expect(json.status == refusal.status)
        let reading = try JSONDecoder().decode(Reading.self, from: Data(json.output.utf8))
        #expect(reading.verdict == refusal.verdict)
        let failure = try #require(reading.failures.first)
        #expect(failure.entity == refusal.entity && failure.property == refusal.property)
        #expect(failure.cocoaCode == refusal.number && failure.isDataDependent == (refusal.status == 1))
        #expect(!failure.problem.isEmpty && failure.remedy.contains(refusal.remedy))
    }

    @Test func namesEveryEntityMapping() throws {
        let words = ["infer", "--models", Samples.models("Company"), "--from", "Company", "--to", "Company 4"]
        let run = try ToolProcess.ferry(words)
        #expect(run.status == 1)
        for name in ["IEM_Add_Partner", "IEM_Transform_Division", "IEM_Remove_ParkingPlace", "remarks <- notes"] {
            #expect(run.output.contains(name))
        }
        let json = try ToolProcess.ferry(words + ["--json"])
        let reading = try JSONDecoder().decode(Reading.self, from: Data(json.output.utf8))
        let division = try #require(reading.entityMappings.first { $0.destination == "Division" })
        #expect(division.type == "transform" && division.source == "Department")
        let employee = try #require(reading.entityMappings.first { $0.destination == "Employee" })
        #expect(employee.dropped == ["level", "parkingPlace", "seniority"])
    }

    /// A version infers to itself, by copies alone.
    @Test func writesTheMappingWhereThereIsOne() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("mapping.yaml")
        let words = [
            "infer", "--models", Samples.models("Company"), "--from", "Company", "--to", "Company 4", "-o", file,
        ]
        #expect(try ToolProcess.ferry(words).status == 1)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("IEM_Transform_Division"))
        let refused = directory.file("refused.yaml")
        #expect(try ToolProcess.ferry(["infer", "--to", "Ledger to-one", "-o", refused] + Self.ledger).status == 2)
        // What is missing is marked in it.
        #expect(try String(contentsOfFile: refused, encoding: .utf8).contains("# "))
        let nowhere = try ToolProcess.ferry(["infer", "-o", directory.file("gone/x.yaml")] + Self.ledger)
        #expect(nowhere.status == 2 && nowhere.errors.contains("gone"))
    }
}
