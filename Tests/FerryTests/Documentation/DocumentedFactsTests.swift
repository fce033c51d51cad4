import Foundation
import TestSupport
import Testing

/// What the pages say of the package and the set-up, against the files that decide it.
@Suite struct DocumentedFactsTests {
    @Test func everyLibraryProductIsListedAndNoOther() throws {
        let manifest = try String(contentsOfFile: Documentation.folder + "/Package.swift", encoding: .utf8)
        let products = Set(manifest.matches(of: /\.library\(name: "([A-Za-z]+)"/).map { String($0.1) })
        let rows = try Documentation.page("libraries").rows(ofTable: "| Product |").flatMap { row in
            Documentation.words(in: row[0], like: /[A-Za-z]+/)
        }
        #expect(!products.isEmpty)
        #expect(Set(rows) == products)
    }

    @Test func everyPackageThatTheSetUpInstallsIsNamed() throws {
        let setup = try String(contentsOfFile: Samples.path + "/setup", encoding: .utf8)
        let packages = Set(setup.matches(of: /\]=([a-z0-9.-]+)/).map { String($0.1) }).union(["sqlite3", "pkg-config"])
        let quickStart = try Documentation.readme.text(of: "Quick start")
        let named = Documentation.words(in: quickStart, like: /[a-z0-9.-]+/)
        #expect(packages.count > 4)
        #expect(packages.subtracting(named) == [])
    }

    @Test func theFoldersOfTheRepositoryExist() throws {
        let rows = try Documentation.readme.text(of: "The repository").split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let paths = rows.flatMap { row in
            Documentation.words(in: String(row.split(separator: "|")[0]), like: /[A-Za-z.\/]+/)
        }
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Documentation.folder + "/" + path), "\(path)")
        }
    }
}
