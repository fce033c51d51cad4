/// A shell for which the tool can write completions.
public enum Shell: String, Sendable, Hashable, CaseIterable {
    /// GNU Bash.
    case bash
    /// The Z shell.
    case zsh
    /// The Friendly Interactive Shell.
    case fish

    /// Returns the line for the shell's start-up file, with that file's name.
    func startUpLine(for tool: String) -> String {
        switch self {
        case .bash: "    source <(\(tool) completions bash)     # ~/.bashrc"
        case .zsh: "    source <(\(tool) completions zsh)      # ~/.zshrc, after compinit"
        case .fish: "    \(tool) completions fish | source      # ~/.config/fish/config.fish"
        }
    }
}
