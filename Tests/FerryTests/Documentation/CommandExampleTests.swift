import CommandLineParsing
import Foundation
import TestSupport
import Testing

@testable import FerryCommands

/// Runs the commands of each page in order, in a folder that looks as it does after the quick start.
@Suite struct CommandExampleTests {
    private struct Command {
        let text: String
        let expectedStatus: Int32
        /// What is printed, as `PrintedText` matches it; empty if the page does not show it.
        var output: [String] = []
    }

    /// The commands of the `sh` blocks; a `text` block after one is what its last command prints.
    private func commands(of page: DocumentationPage) -> [Command] {
        var commands: [Command] = []
        for block in page.blocks {
            if block.language == "sh" {
                commands += block.lines.filter { !$0.isEmpty }.map { line in
                    let parts = line.split(separator: "   # exit status ", maxSplits: 1)
                    let status = parts.count == 2 ? Int32(parts[1]) ?? -1 : 0
                    return Command(text: String(parts[0]), expectedStatus: status)
                }
            } else if block.language == "text", !commands.isEmpty {
                commands[commands.count - 1].output = block.lines
            }
        }
        return commands
    }

    private func prepare(_ directory: TemporaryDirectory) throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: directory.file("Samples"), withDestinationPath: Samples.path)
        let mappings = (Samples.path as NSString).deletingLastPathComponent + "/Mappings"
        try files.createSymbolicLink(atPath: directory.file("Mappings"), withDestinationPath: mappings)
        try files.createDirectory(atPath: directory.file(".build/release"), withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: directory.file(".build/release/ferry"), withDestinationPath: ToolProcess.ferry)
        // As Samples/quickstart builds it.
        let script = "source Samples/setup && ferry_build_store Company .build/quickstart"
        let built = try ToolProcess.run("/usr/bin/env", ["bash", "-c", script], in: directory.path)
        try #require(built.status == 0, "\(built.summary)")
    }

    /// The pages that have commands.
    static let pages = ((try? Documentation.writtenPages()) ?? []).filter { page in
        page.blocks.contains { $0.language == "sh" }
    }

    @Test(.long, arguments: pages)
    func theCommandsDoWhatThePageSays(page: DocumentationPage) throws {
        let directory = try TemporaryDirectory()
        try prepare(directory)
        let commands = commands(of: page)
        // One shell for all, as a reader has one; each command's output and status go to files of their own.
        var script = "export PATH=\"$PWD/.build/release:$PATH\"\n"
        for (index, command) in commands.enumerated() {
            script += "exec > out-\(index) 2> err-\(index)\n\(command.text)\necho $? > status-\(index)\n"
        }
        let run = try ToolProcess.run("/usr/bin/env", ["bash", "-c", script], in: directory.path)
        #expect(run.signal == nil)
        for (index, command) in commands.enumerated() {
            let status = text("status-\(index)", in: directory).trimmingCharacters(in: .whitespacesAndNewlines)
            let output = text("out-\(index)", in: directory)
            #expect(
                status == "\(command.expectedStatus)",
                "\(command.text)\n\(output)\(text("err-\(index)", in: directory))")
            let isAsShown = command.output.isEmpty || PrintedText(shown: command.output).matches(output)
            #expect(isAsShown, "\(command.text)\n\(output)")
        }
    }

    @Test func everyCommandOfTheToolIsShownInUse() throws {
        #expect(Self.pages.count > 10)
        let shown = Self.pages.flatMap { commands(of: $0).map(\.text) }.joined(separator: "\n")
        // These two are the parser's own, and have nothing to work on.
        for command in CommandTable.ferry.commands where !["help", "completions"].contains(command.name) {
            #expect(shown.contains("ferry \(command.name) "), "\(command.name)")
        }
    }

    private func text(_ name: String, in directory: TemporaryDirectory) -> String {
        String(decoding: FileManager.default.contents(atPath: directory.file(name)) ?? Data(), as: UTF8.self)
    }
}
