/** Names that give a path its meaning, all matched against a normalised path (`~` for any home folder). */

/** Folders that builds, caches and temporary work leave behind, at any depth outside the system. */
export const SCRATCH_SEGMENTS =
  /(?:^|\/)(?:node_modules|dist|build|target|out|\.cache|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.next|\.nuxt|\.turbo|\.gradle|\.parcel-cache|coverage|htmlcov|tmp|temp|\.tmp|\.temp|venv|\.venv|cmake-build-[\w-]+|obj|site-build|\.eggs|[\w.-]+\.egg-info)(?:\/|$)|\.(?:pyc|pyo|o|obj|class|tmp|swp)$|(?:^|\/)(?:\.coverage|\.DS_Store)$/;

/** What belongs to the operating system. Working folders that packages put below `/usr` and `/var` are left out. */
export const SYSTEM_ROOTS =
  /^\/(?:etc|bin|sbin|lib|lib32|lib64|libx32|boot|proc|sys|dev|run|usr(?!\/(?:local\/)?src(?:\/|$))|var(?!\/(?:tmp|www)(?:\/|$))|System|Library|[Ww]indows|WINDOWS|[Pp]rogram [Ff]iles(?: \(x86\))?|[Pp]rogram[Dd]ata)(?:\/|$)/;

/** Taking one of these away takes everything. */
export const TOP_FOLDERS =
  /^(?:\/|~|\.|\.\.|\*|\.\*|\/\*|~\/\*|\.\/\*|\.\.\/\*|~\/\.\*|\/(?:etc|bin|sbin|lib|lib64|boot|usr|var|home|users|root|opt|srv|mnt|media|dev|sys|proc|data|windows|program files|system|library|applications)(?:\/\*)?)$/i;

/** Keys, tokens and password stores that any product would call so; the ontology's list adds to it. */
export const CREDENTIAL_NAMES =
  /^\/etc\/(?:g?shadow-?|sudoers|security\/opasswd|krb5\.keytab|ipsec\.secrets|master\.passwd|ssl\/private)(?:\/|$)|^\/etc\/sudoers\.d|^\/proc\/(?:\d+|self|\*|[^/]*)\/(?:environ|mem)$|(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|docker|password-store)(?:\/|$)|(?:^|\/)\.(?:env(?:\.(?!example|sample|template|dist)[\w.]+)?|netrc|pgpass|my\.cnf|git-credentials|npmrc|pypirc|htpasswd|vault-token|vault_pass|boto|s3cfg|databrickscfg)$|(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|ini|env|txt)|passwords?\.(?:txt|csv|json|xlsx|db|kdbx)|(?:passwd|group|shadow|gshadow)\.(?:master|bak|old|backup)|SAM|NTDS\.dit|lsass\.dmp|login\.keychain(?:-db)?|Login Data|logins\.json|key[34]\.db|cookies\.sqlite|Cookies|wallet\.dat|serviceaccount\/token|access_tokens\.db|kubeconfig|\.credentials)$|\.(?:kdbx?|pem|p12|pfx|jks|keytab|ovpn|ppk)$/i;

/** Data about people. Matched in lower case. */
export const PERSONAL_NAMES =
  /(?:^|[/_.-])(?:contacts?|address_?book|addresses|messages|chat\.db|whatsapp|signal|places\.sqlite|mails?|inbox|mbox|maildir|\.thunderbird|calendar|photos?|payroll|salar(?:y|ies)|passports?|medical|patients?|health_?records?|diagnos\w+|ssns?|social_security|tax(?:es)?_?(?:return|id)?s?|bank_?statements?|credit_?cards?|customers?|employees?|personal(?:_?(?:data|info\w*))|pii)(?=$|[/_.-])/;

/** Records of what happened, and shells' memories of it. */
export const LOG_FILES =
  /^\/var\/(?:log|adm|audit)(?:\/|$)|^\/(?:var\/)?run\/(?:utmp|log)(?:\/|$)|^\/library\/logs|(?:^|\/)\.(?:bash|zsh|sh|ksh|fish|python|node_repl|mysql|psql|sqlite|rediscli|irb|php)_history$|(?:^|\/)fish_history$|\/(?:wtmp|btmp|utmp|lastlog|faillog|auth\.log|audit\.log|secure)$|\.evtx$|ConsoleHost_history\.txt$/i;

/** Whatever stands here is run at log-in, start-up, on a schedule, on commit, or by every program of its kind. */
export const START_FILES =
  /^\/etc\/(?:cron|anacrontab|crontab|at\.allow|systemd\/|init\.d|init\/|rc\d?\.|rc\.local|profile|bash\.bashrc|bashrc|zsh|environment$|ld\.so\.preload|ld\.so\.conf|xdg\/autostart|udev\/rules\.d|apt\/apt\.conf\.d|update-motd\.d|motd\.d|inittab|modules-load\.d|skel\/|network\/if-)|^\/var\/spool\/(?:cron|at|anacron)|^\/(?:usr\/)?lib\/systemd\/|^\/(?:usr\/local\/)?etc\/rc|(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|kshrc|cshrc|tcshrc|inputrc|xinitrc|xsession|xprofile|pam_environment|vimrc|gdbinit|pythonrc)$|(?:^|\/)\.config\/(?:autostart|systemd|fish|nvim)\/|\/\.ssh\/(?:authorized_keys2?|rc|config)$|(?:^|\/)authorized_keys2?$|(?:^|\/)Launch(?:Agents|Daemons)\/|(?:^|\/)\.git\/hooks\/|(?:^|\/)(?:sitecustomize|usercustomize)\.py$|site-packages\/[^/]+\.pth$|Start Menu\/Programs\/Startup|\/StartupItems\/|(?:^|\/)\.github\/workflows\/|(?:^|\/)\.gitlab-ci\.ya?ml$|\.(?:service|timer)$/i;

/** Among START_FILES: keys with which others may log in. */
export const LOGIN_KEYS = /(?:^|\/)authorized_keys2?$/i;

/** Settings of controls: access control, firewall, audit, log-in rules, malware protection. */
export const GUARD_FILES =
  /^\/etc\/(?:selinux|apparmor|audit|rsyslog|syslog|logrotate|iptables|nftables|ufw|firewalld|fail2ban|pam\.d|security\/|ssh\/sshd_config|hosts\.(?:allow|deny)|clamav|ossec|falco|osquery|crowdstrike|login\.defs|securetty|ssl\/certs|ca-certificates|pki\/)|^\/var\/ossec|^\/sys\/fs\/selinux|^\/proc\/sys\/kernel\/(?:randomize_va_space|yama|modules_disabled)|\/drivers\/etc\/hosts$/i;

export const ACCOUNT_FILES =
  /^\/etc\/(?:passwd-?|g?shadow-?|group-?|sudoers|security\/opasswd|subuid|subgid)(?:$|\.d|\/)/;

/** What is needed to restore. Matched in lower case. */
export const RECOVERY_NAMES =
  /(?:^|[/_.-])(?:backups?|snapshots?|\.snapshots|time ?machine|timeshift|system volume information|recovery|restic|borg)(?=$|[/_.-])|\.(?:bak|backup|dump|bkp|vbk|wim)$/;

/** Every script reads these: names, versions, time zone, locale, certificates, word lists, own process. */
export const COMMON_SYSTEM_READS =
  /^\/etc\/(?:os-release|lsb-release|debian_version|redhat-release|timezone|localtime|hostname|hosts|resolv\.conf|mime\.types|services|protocols|nsswitch\.conf|locale\.\w+|shells|ssl\/certs\/.*|ca-certificates.*|nginx\/.*|apache2\/.*|httpd\/.*|php\/.*|mysql\/.*|postgresql\/.*|redis\/.*|networks)$|^\/proc\/(?:self\/(?:status|stat|maps|cwd|exe|fd|cgroup|limits)|loadavg|uptime|version|stat|filesystems|mounts)(?:\/|$)|^\/sys\/(?:class|devices|block|fs\/cgroup)(?:\/|$)|^\/usr\/(?:share\/(?:dict|fonts|zoneinfo|locale|doc|man|icons|applications|nltk_data|tesseract-ocr|common-licenses|misc)|include|lib\/python[\d.]*|local|lib\/jvm|lib\/node_modules|games)(?:\/|$)|^\/(?:usr\/)?(?:s?bin)(?:\/|$)|^\/var\/(?:cache|opt|local|mail)(?:\/|$)|^\/run\/(?:user|lock)/;
