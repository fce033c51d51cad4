import Foundation
import TestSupport
import Testing

/// The memory of an import does not depend on how much there is to import.
@Suite struct ImportMemoryTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Part">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
        </model>
        """

    private struct Report: Decodable {
        let peakMemory: Int64
    }

    private let directory: TemporaryDirectory
    private let model: String

    init() throws {
        directory = try TemporaryDirectory()
        model = directory.file("Parts.xcdatamodel")
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    }

    private func peakMemory(rows: Int, into store: String) throws -> Int64 {
        var text = "number,name\n"
        for row in 0..<rows {
            text += "\(row &* 2_654_435_761 % 4_294_967_296),A part with a name of some length \(row)\n"
        }
        let source = try directory.write(text, to: "parts-\(rows).csv")
        // A program is said to have the peak of what started it: that is a shell, and not all the tests.
        let words = [
            "import", source, "--store", directory.file(store), "--models", model, "--entity", "Part", "--json",
            "--progress",
            "none",
        ]
        let run = try ToolProcess.run("/bin/sh", ["-c", "\"$0\" \"$@\"; exit $?", ToolProcess.ferry] + words)
        try #require(run.status == 0, "\(run.summary)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).peakMemory
    }

    @Test(.long) func aNewStoreOfThreeTimesAsManyObjectsTakesTheSameMemory() throws {
        let few = try peakMemory(rows: 80_000, into: "few.sqlite")
        let many = try peakMemory(rows: 240_000, into: "many.sqlite")
        #expect(many < 64 << 20)
        #expect(many - few < 8 << 20, "\(few) and \(many) bytes")
        // All are there, and stay as they are.
        let again = try peakMemory(rows: 240_000, into: "many.sqlite")
        #expect(again < 64 << 20)
    }
}
