import Foundation
import GeneratedStores
import TestSupport
import Testing

/// Mapping models that nobody names one by one: compiled ones beside the models, and passes in a folder.
@Suite struct MappingDiscoveryTests {
    private func convert(_ text: String, to output: String, in directory: TemporaryDirectory) throws {
        let file = try directory.write(text, to: UUID().uuidString + ".yaml")
        let run = try ToolProcess.ferry([
            "mapping", "convert", file, "-o", output, "--models", Samples.models("Company"), "--from", "Company",
            "--to", "Company 2",
        ])
        #expect(run.status == 0, "\(run.summary)")
    }

    private static let departments = """
        mapping: 1
        entities:
          - {source: Department, destination: Department, attributes: {name: uppercase($source.name)}}
        """

    private static let projects = """
        mapping: 1
        entities:
          - {source: Project, destination: Project, attributes: {title: lowercase($source.title)}}
        """

    @Test func aCompiledMappingModelBesideTheModelsIsFound() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let app = directory.file("App.app")
        try FileManager.default.createDirectory(atPath: app, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Samples.models("Company"), toPath: app + "/Company.xcdatamodeld")
        try convert(Self.departments, to: app + "/First.cdm", in: directory)
        let output = directory.file("new.sqlite")
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", app, "--to", "Company 2", "-o", output, "--progress", "none"])
        #expect(run.status < 2, "\(run.summary)")
        #expect(
            try StoreRows.of(output, "SELECT ZNAME FROM ZDEPARTMENT ORDER BY Z_PK")
                == StoreRows.of(store, "SELECT ZNAME FROM ZDEPARTMENT ORDER BY Z_PK").map { [$0[0].uppercased()] })
    }

    /// Two mapping models between the same versions are passes of one step, in the order of their names.
    @Test func mappingModelsInAFolderArePasses() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let folder = directory.file("mappings")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try convert(Self.departments, to: folder + "/1-departments.cdm", in: directory)
        try convert(Self.projects, to: folder + "/2-projects.yaml", in: directory)
        let output = directory.file("new.sqlite")
        let run = try ToolProcess.ferry([
            "migrate", store, "--models", Samples.models("Company"), "--to", "Company 4", "--mapping", folder, "-o",
            output,
            "--progress", "none",
        ])
        #expect(run.status < 2, "\(run.summary)")
        #expect(run.output.contains("DepartmentToDepartment") && run.output.contains("ProjectToProject"))
        #expect(run.output.contains("in 2 steps"))
        #expect(
            try StoreRows.of(output, "SELECT ZTITLE FROM ZPROJECT ORDER BY Z_PK")
                == StoreRows.of(store, "SELECT ZTITLE FROM ZPROJECT ORDER BY Z_PK").map { [$0[0].lowercased()] })
        #expect(
            try StoreRows.of(
                output,
                "SELECT ZNAME FROM ZORGANIZATION WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Division') ORDER BY Z_PK"
            )
                == StoreRows.of(store, "SELECT ZNAME FROM ZDEPARTMENT ORDER BY Z_PK").map { [$0[0].uppercased()] })
    }
}
