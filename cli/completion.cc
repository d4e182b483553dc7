// basalt completion: scripts for shells, made from the command line itself, so that they cannot go stale.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

#include <fmt/format.h>

namespace basalt::cli {

namespace {

struct Flag {
  std::vector<std::string> spellings;  // with their dashes
  std::string description;
  bool takes_value;
  std::vector<std::string> choices;  // where the value is one of a few words
};

struct Command {
  std::string name, description;
  std::vector<Flag> flags;
  std::vector<std::string> words;  // choices of the first word that stands alone
};

// AddChoice shows its words as a|b|c; other values have names in capital letters.
std::vector<std::string> Choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find('|') == type.npos || type.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ*") != type.npos) return {};
  return CLI::detail::split(type, '|');
}

Command Describe(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      if (command.words.empty()) command.words = Choices(*option);
      continue;
    }
    Flag flag{{}, option->get_description(), option->get_expected_max() > 0, Choices(*option)};
    for (const std::string& name : option->get_snames()) flag.spellings.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.spellings.push_back("--" + name);
    command.flags.push_back(std::move(flag));
  }
  return command;
}

std::string Bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& c : commands) names.push_back(c.name);
  std::string out = fmt::format(R"(# bash completion of basalt; use: source <(basalt completion bash)
_basalt() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= word
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {}) command=$word; break;; esac
  done
  case $command in
    '') COMPREPLY=($(compgen -W '{}' -- "$cur"));;
)",
                                Join(names, "|"), Join(names, " "));
  for (const Command& c : commands) {
    out += fmt::format("    {})\n      case $prev in\n", c.name);
    std::vector<std::string> all = c.words;
    for (const Flag& f : c.flags) {
      all.insert(all.end(), f.spellings.begin(), f.spellings.end());
      if (!f.takes_value) continue;
      if (f.choices.empty())
        out += fmt::format("        {}) COMPREPLY=($(compgen -f -- \"$cur\")); return;;\n", Join(f.spellings, "|"));
      else
        out += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return;;\n", Join(f.spellings, "|"), Join(f.choices, " "));
    }
    out += fmt::format("      esac\n      case $cur in\n        -*) COMPREPLY=($(compgen -W '{0}' -- \"$cur\"));;\n"
                       "        *) COMPREPLY=($(compgen -W '{1}' -- \"$cur\") $(compgen -f -- \"$cur\"));;\n      esac;;\n",
                       Join(all, " "), Join(c.words, " "));
  }
  return out + "  esac\n}\ncomplete -o filenames -F _basalt basalt\n";
}

/// For use between single quotes, in zsh also between brackets and colons.
std::string Escaped(const std::string& text, bool zsh) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += zsh ? "'\\''" : "\\'";
    else if (zsh && (c == '[' || c == ']' || c == ':'))
      out += '\\', out += c;
    else
      out += c;
  }
  return out;
}

std::string Zsh(const std::vector<Command>& commands) {
  std::string out = "#compdef basalt\n# zsh completion of basalt; use: basalt completion zsh > \"${fpath[1]}/_basalt\"\n_basalt() {\n  local -a commands\n  commands=(\n";
  for (const Command& c : commands) out += fmt::format("    '{}:{}'\n", c.name, Escaped(c.description, true));
  out += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n";
  for (const Command& c : commands) {
    out += fmt::format("    {})\n      _arguments \\\n", c.name);
    for (const Flag& f : c.flags) {
      const std::string value = !f.takes_value ? "" : f.choices.empty() ? ":value:_files" : ":value:(" + Join(f.choices, " ") + ")";
      for (const std::string& spelling : f.spellings) {
        const std::string what = Escaped(f.description, true);
        out += fmt::format("        '*{}[{}]{}' \\\n", spelling, what, value);
      }
    }
    out += c.words.empty() ? "        '*:file:_files';;\n" : fmt::format("        '2:word:({})' '*:file:_files';;\n", Join(c.words, " "));
  }
  return out + "  esac\n}\n_basalt \"$@\"\n";
}

std::string Fish(const std::vector<Command>& commands) {
  std::string out = "# fish completion of basalt; use: basalt completion fish | source\n";
  for (const Command& c : commands)
    out += fmt::format("complete -c basalt -n __fish_use_subcommand -f -a {} -d '{}'\n", c.name, Escaped(c.description, false));
  for (const Command& c : commands) {
    const std::string on = fmt::format("complete -c basalt -n '__fish_seen_subcommand_from {}'", c.name);
    if (!c.words.empty()) out += fmt::format("{} -a '{}'\n", on, Join(c.words, " "));
    for (const Flag& f : c.flags) {
      out += on;
      for (const std::string& s : f.spellings) out += s.starts_with("--") ? " -l " + s.substr(2) : " -s " + s.substr(1);
      if (f.takes_value) out += f.choices.empty() ? " -r" : " -x -a '" + Join(f.choices, " ") + "'";
      out += " -d '" + Escaped(f.description, false) + "'\n";
    }
  }
  return out;
}

}  // namespace

void AddCompletion(const Registry& registry) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* app = registry.Add("completion", "Print a completion script for a shell", [=, root = registry.root] {
    std::vector<Command> commands;
    for (const CLI::App* command : root->get_subcommands(nullptr)) commands.push_back(Describe(*command));
    return PrintData(*shell == "bash" ? Bash(commands) : *shell == "zsh" ? Zsh(commands) : Fish(commands)) ? kDone : kFailed;
  });
  AddChoice(app, "SHELL", shell.get(), {"bash", "zsh", "fish"}, "bash, zsh or fish")->required();
}

}  // namespace basalt::cli
