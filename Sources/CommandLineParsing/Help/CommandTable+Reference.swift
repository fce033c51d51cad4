extension CommandTable {
    /// Returns the command reference in Markdown: a page for each command, `mapping-check.md` for `mapping check`, and
    /// the index `README.md`.
    ///
    /// Each page begins with `note`, a line about the origin of the page.
    ///
    /// - Parameters:
    ///   - note: a line about the origin of the pages.
    ///   - guides: Markdown links to pages with examples, by command.
    public func referencePages(note: String, guides: [String: [String]] = [:]) -> [RenderedDocument] {
        var index = [note, "", "# Command reference", "", "| command | |", "|---|---|"]
        var pages: [RenderedDocument] = []
        forEachCommand { path, command in
            let name = Self.referenceFile(path)
            index.append("| [`\(path.joined(separator: " "))`](\(name)) | \(command.abstract) |")
            let lines = [note, ""] + referencePage(of: command, path: path, guides: guides[path[1]] ?? [])
            pages.append(RenderedDocument(name: name, text: lines.joined(separator: "\n") + "\n"))
        }
        index += [
            "",
            "Every command also has `--help`, and `\(tool) --version` shows the version, the commit and the libraries.",
            "",
        ]
        if !environment.isEmpty {
            index += ["## Environment", "", "| variable | |", "|---|---|"]
            index += environment.map { "| `\($0.name)` | \($0.help) |" } + [""]
        }
        index += ["## Exit status", "", "| status | meaning |", "|---|---|"]
        index += ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
        return [RenderedDocument(name: "README.md", text: index.joined(separator: "\n") + "\n")] + pages
    }

    private func referencePage(of command: Command, path: [String], guides: [String]) -> [String] {
        var lines = ["# \(path.joined(separator: " "))", "", command.abstract + ".", ""]
        lines += ["    " + synopsis(of: command, path: path)]
        if !command.discussion.isEmpty { lines += ["", command.discussion] }
        if !command.subcommands.isEmpty {
            lines += ["", "## Commands", "", "| command | |", "|---|---|"]
            lines += command.subcommands.map { member in
                let path = path + [member.name]
                return "| [`\(path.joined(separator: " "))`](\(Self.referenceFile(path))) | \(member.abstract) |"
            }
        }
        if !command.flags.isEmpty {
            lines += ["", "## Options", ""]
            lines += command.flags.map { flag in
                let short = flag.short.map { "`-\($0)`, " } ?? ""
                return "- \(short)`\(flag.usage)`: \(flag.fullHelp)"
            }
        }
        var links = guides
        links += relatedCommands(to: path[1]).map { "[`\(tool) \($0)`](\(Self.referenceFile([tool, $0])))" }
        links.append("[all commands and exit statuses](README.md)")
        return lines + ["", "See also: " + links.joined(separator: ", ") + "."]
    }

    private static func referenceFile(_ path: [String]) -> String {
        path.dropFirst().joined(separator: "-") + ".md"
    }
}
